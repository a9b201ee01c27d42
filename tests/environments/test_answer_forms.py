"""The many ways to write a right answer, and the wrong ones that look like it: one table, and what holds of any value."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple

import inflect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments.answer_matching import answers_match
from envolve.environments.models import Answer

YES, NO = True, False


class Case(NamedTuple):
    kind: str
    expected: Any
    given: Any
    matches: bool
    options: dict[str, Any] = {}


def table(kind: str, expected: Any, *cases: tuple[Any, bool], **options: Any) -> list[Case]:
    return [Case(kind, expected, given, matches, options) for given, matches in cases]


NUMBERS = [
    *table("number", 3900, ("3\u2009900", YES), ("3’900.00", YES), ("3.900,00 €", YES), ("CHF 3'900.-", YES)),
    *table(
        "number", 3900, ("3900 dollars", YES), ("3900 kr", YES), ("kr 3900", YES), ("3900 zł", YES), ("£3,900", YES)
    ),
    *table("number", 3900, ("R$ 3.900,00", YES), ("3.9k", NO), ("39 00", NO), ("3,9,00", NO), ("#3900", NO)),
    *table("number", 3900, ("3900 or so", NO), ("3900-4000", NO), ("$3900$", NO), ("٣٩٠٠", YES), ("３,９００", YES)),
    *table("number", 12, ("12 percent", YES), ("12 per cent", YES), ("12％", YES), ("0.12", NO), ("12%%", NO)),
    *table(
        "number",
        12,
        ("twelve", YES),
        ("Twelve", YES),
        ("a dozen", NO),
        ("twenty", NO),
        ("one two", NO),
        ("twelfth", NO),
    ),
    *table("number", 45, ("forty-five", YES), ("forty five", YES), ("five forty", NO), ("fourty-five", NO)),
    *table("number", 1250, ("one thousand two hundred and fifty", YES), ("one thousand two hundred fifty", YES)),
    *table(
        "number", 1250, ("twelve hundred and fifty", NO), ("one thousand", NO), ("thousand two hundred and fifty", NO)
    ),
    *table("number", 0, ("zero", YES), ("-0", YES), ("none", NO), ("nothing", NO), ("", NO), (None, NO), (False, NO)),
    *table(
        "number", -5, ("(5)", YES), ("($5.00)", YES), ("5-", YES), ("minus five", YES), ("- 5", YES), ("(-5)", NO)
    ),
    *table("number", 5, ("(5)", NO), ("5-", NO), ("5.", YES), ("05", YES), ("½", NO), ("5 guests", NO)),
    *table("number", -1234.5, ("(1,234.50)", YES), ("−1.234,50", YES), ("1,234.50", NO), ("(1,234.5", NO)),
    *table("number", 1, ("one", YES), (True, NO), ("1st", NO), ("yes", NO), ([1], NO)),
]
DATES = [
    *table(
        "date",
        "2026-03-06",
        ("2026‑03‑06", YES),
        ("2026–03–06", YES),
        ("6/Mar/2026", YES),
        ("March\u00a06,\u00a02026", YES),
    ),
    *table(
        "date",
        "2026-03-06",
        ("Fri, 06 Mar 2026", YES),
        ("Sat, 06 Mar 2026", NO),
        ("2026-3-6", YES),
        ("06.03.2026", NO),
    ),
    *table(
        "date",
        "2026-03-06",
        ("3/6/2026", NO),
        ("6/3/2026", NO),
        ("6 March '26", NO),
        ("6 March", NO),
        ("6. März 2026", NO),
    ),
    *table("date", "2026-03-06", ("2026-W10-5", NO), ("13/06/2026", NO), ("March 2026", NO), (20260306, NO)),
    *table("date", "2026-03-13", ("13.3.2026", YES), ("3/13/2026", YES), ("13/3/26", NO)),
    *table(
        "date",
        "2026-03-06 19:30:00",
        ("2026-03-06 7:30pm", YES),
        ("2026-03-06 at 19h30", YES),
        ("6 March 2026 19.30", YES),
    ),
    *table(
        "date",
        "2026-03-06 19:30:00",
        ("2026-03-06 7:30", NO),
        ("2026-03-06 7:30 am", NO),
        ("2026-03-06 19:30 pm", NO),
    ),
    *table("date", "2026-03-06 19:30:00", ("2026-03-06T19:30Z", YES), ("2026-03-06 19:30:30", NO), ("19:30", NO)),
    *table(
        "date",
        "2026-03-06 12:00:00",
        ("6 March 2026 at noon", YES),
        ("6 March 2026, 12 noon", YES),
        ("6 March 2026 12 am", NO),
    ),
    *table("date", "2026-03-06 00:00:00", ("6 March 2026, midnight", NO), ("6 March 2026 12 am", YES)),
    *table(
        "date", "19:30", ("7:30 p.m.", YES), ("19h30", YES), ("19.30", YES), ("7:30", NO), ("1930", NO), ("7.30", NO)
    ),
    *table("date", "12:00", ("noon", YES), ("12 pm", YES), ("12 am", NO), ("midnight", NO)),
    *table("date", "00:00", ("midnight", YES), ("12 a.m.", YES), ("24:00", NO)),
]
TEXTS = [
    *table("text", "Café Müller", ("CAFE\u0301\u00a0MU\u0308LLER", YES), ("cafe mueller", NO), ("Café", NO)),
    *table(
        "text", "the Blue Room", ("Blue Room", YES), ("The blue room.", YES), ("Blue Rooms", NO), ("a Blue Room", NO)
    ),
    *table("text", "well-known", ("well‑known", YES), ("well\u00adknown", NO), ("well known", NO), ("wellknown", NO)),
    *table(
        "text", "Tosca", ("«Tosca»", YES), ("„Tosca“", YES), ("'Tosca'", YES), ("To\u200bsca", YES), ("Toscas", NO)
    ),
    *table("text", "two guests", ("two guest", NO), ("2 guests", NO), ("guests two", NO)),
    *table("text", "Full", ("Ｆｕｌｌ", YES), ("ful", NO), (True, NO), (["Full"], NO), ({"text": "Full"}, NO)),
    *table("text", "A 12", ("12", NO), ("a 12", YES), ("A12", NO)),
    *table("text", "12", (12, YES), ("12", YES), ("twelve", NO), (12.5, NO)),
]
PROGRESS = {"options": ["open", "in_progress", "done"]}
CHOICES = [
    *table(
        "choice",
        "in_progress",
        ("in progress", YES),
        ("In-Progress", YES),
        ("progress", NO),
        ("done", NO),
        **PROGRESS,
    ),
    *table("choice", "yes", (True, YES), ("Yes.", YES), ("y", NO), (1, NO), (False, NO), options=["yes", "no"]),
    *table("choice", "no", (False, YES), ("NO", YES), (None, NO), ("", NO), (0, NO), options=["yes", "no"]),
]
FIELDS = {"fields": {"guest": "text", "party": "number", "on": "date"}}
ADA = {"guest": "Ada", "party": 6, "on": "2026-03-06"}
RECORDS = [
    *table("object", ADA, ({"guest": "ada", "party": "six", "on": "6 March 2026"}, YES), **FIELDS),
    *table(
        "object",
        ADA,
        ({"Guest": "Ada", "PARTY": "6", "On": "2026-03-06"}, YES),
        ({**ADA, "note": "x"}, YES),
        **FIELDS,
    ),
    *table("object", ADA, ({**ADA, "Party": 7}, YES), ({"Party": 7, "PARTY": 6, **ADA, "party": 5}, NO), **FIELDS),
    *table(
        "object",
        ADA,
        ({**ADA, "party": None}, NO),
        ({**ADA, "party": ""}, NO),
        ({"guest": "Ada"}, NO),
        ({}, NO),
        **FIELDS,
    ),
    *table("object", {**ADA, "party": None}, ({**ADA, "party": None}, YES), ({**ADA, "party": ""}, YES), **FIELDS),
    *table(
        "object",
        {**ADA, "party": None},
        ({"guest": "Ada", "on": "2026-03-06"}, YES),
        ({**ADA, "party": 0}, NO),
        **FIELDS,
    ),
]
ROWS = [ADA, {"guest": "Bo", "party": 2, "on": None}]
COLUMNS = {"key": ["guest"], "columns": FIELDS["fields"]}
COLLECTIONS = [
    *table("list", ["Ada", "Bo"], (["ADA", "bo"], YES), (["Bo", "Ada"], NO), (["Ada", "Bo", "Bo"], NO), of="text"),
    *table("list", [1, 1, 2], ([1, 1, 2], YES), ([1, 2], NO), (["one", "1.0", "2"], YES), of="number"),
    *table("set", ["Ada", "Bo"], (["bo", "ada"], YES), (["Ada", "Bo", "ADA"], YES), (["Ada"], NO), of="text"),
    *table("set", ["Ada", "Bo"], (["Ada", "Bo", "Cy"], NO), ("Ada, Bo", NO), (["Ada, Bo"], NO), of="text"),
    *table("set", [], ([], YES), (None, NO), ("", NO), ({}, NO), ([None], NO), ([""], NO), of="text"),
    *table("set", ["2026-03-06"], (["Friday, 6 March 2026"], YES), (["2026-03-06", "06.03.2026"], NO), of="date"),
    *table("rows", ROWS, (list(reversed(ROWS)), YES), ([ADA, {"Guest": "BO", "party": "2"}], YES), **COLUMNS),
    *table("rows", ROWS, ([ADA], NO), ([*ROWS, ADA], NO), ([ADA, {**ADA, "guest": "Bo"}], NO), ([ROWS], NO), **COLUMNS),
]  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [*NUMBERS, *DATES, *TEXTS, *CHOICES, *RECORDS, *COLLECTIONS],
    ids=lambda case: f"{case.kind} {case.expected!r} {'is' if case.matches else 'is not'} {case.given!r}"[:90],
)
def test_forms(case: Case) -> None:
    expected = Answer.model_validate({"kind": case.kind, "value": case.expected, **case.options})
    assert answers_match(expected, case.expected, case.given) is case.matches


def right(kind: str, expected: Any, stated: Any, **options: Any) -> bool:
    return answers_match(Answer.model_validate({"kind": kind, "value": expected, **options}), expected, stated)


def grouped(separator: str, point: str) -> Callable[[float], str]:
    def write(value: float) -> str:
        return separator.join(part.replace(".", point) for part in f"{value:,.2f}".split(","))

    return write


STYLES: list[Callable[[float], Any]] = [
    *(grouped(separator, point) for separator, point in (",.", ".,", " ,", "’.", "'.", "\u00a0,", "\u202f,")),
    lambda value: value,
    lambda value: f"{value:.2f}",
    lambda value: f"${value:,.2f}".replace("$-", "-$"),
    lambda value: f"{value:.2f} EUR",
    lambda value: f"({-value:,.2f})" if value < 0 else f"{value:,.2f}",
    lambda value: f"{value:.2f} %",
    lambda value: f"{value:.2f}".replace("-", "−"),
]
AMOUNTS = st.integers(-10_000_000, 10_000_000).map(lambda cents: cents / 100)
DAYS = st.dates(dt.date(1950, 1, 1), dt.date(2070, 12, 31))
DAY_STYLES = ["%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%A, %d %B %Y", "%a %d %b %Y", "%Y%m%d"]
TIME_STYLES = ["%H:%M", "%I:%M %p", "%I:%M%p", "%H:%M:00", "%Hh%M"]
WORDS = st.lists(
    st.sampled_from(["Ada", "Müller", "O’Brien", "well-known", "Café", "№ 7", "Blue", "x"]), min_size=1, max_size=4
)
TEXT_STYLES: list[Callable[[str], str]] = [
    str.upper,
    str.lower,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: f"  {text}  ",
    lambda text: f"“{text}”",
    lambda text: f"{text}.",
    lambda text: text.replace("-", "‑").replace("’", "'"),
]
ANY = settings(derandomize=True, database=None, max_examples=150, deadline=None)


@ANY
@given(AMOUNTS, st.sampled_from(STYLES), st.sampled_from(STYLES), st.sampled_from([-1, -0.01, 0.01, 1]))
def test_a_number_is_itself_in_any_style_and_no_neighbour(value: float, one: Any, other: Any, off: float) -> None:
    assert right("number", value, one(value))
    assert not right("number", value, other(round(value + off, 2)))


@ANY
@given(st.integers(-999_999, 9_999_999), st.sampled_from([-1, 1, 10, 100]))
def test_a_number_in_words_is_that_number(value: int, off: int) -> None:
    words = inflect.engine().number_to_words(str(value))
    assert isinstance(words, str)
    assert right("number", value, words)
    assert right("number", value, words.replace(",", "").replace(" and ", " "))
    assert not right("number", value + off, words)


@ANY
@given(DAYS, st.sampled_from(DAY_STYLES), st.sampled_from(DAY_STYLES), st.sampled_from([-365, -31, -1, 1, 30]))
def test_a_date_is_itself_in_any_style_and_no_other_day(day: dt.date, one: str, other: str, off: int) -> None:
    assert right("date", day.isoformat(), day.strftime(one))
    assert not right("date", day.isoformat(), (day + dt.timedelta(days=off)).strftime(other))


@ANY
@given(
    DAYS, st.times(), st.sampled_from(DAY_STYLES[:-1]), st.sampled_from(TIME_STYLES), st.sampled_from([1, 60, 720])
)
def test_a_time_is_itself_in_any_style_and_no_other(day: dt.date, time: dt.time, on: str, at: str, off: int) -> None:
    moment = dt.datetime.combine(day, time.replace(second=0, microsecond=0))
    expected = moment.strftime("%Y-%m-%d %H:%M:%S")
    assert right("date", expected, moment.strftime(f"{on} {at}"))
    assert not right("date", expected, (moment + dt.timedelta(minutes=off)).strftime(f"{on} {at}"))


@ANY
@given(DAYS)
def test_a_date_in_digits_matches_unless_it_can_be_read_in_two_ways(day: dt.date) -> None:
    for style in ("%d/%m/%Y", "%m/%d/%Y"):
        assert right("date", day.isoformat(), day.strftime(style)) is (day.day > 12 or day.day == day.month)


@ANY
@given(WORDS, st.lists(st.sampled_from(TEXT_STYLES), max_size=3, unique=True), st.sampled_from(["Zoe", "s", "7"]))
def test_a_text_is_itself_in_any_typography_and_no_longer_one(words: list[str], styles: Any, more: str) -> None:
    text = stated = " ".join(words)
    for style in styles:
        stated = style(stated)
    assert right("text", text, stated)
    assert not right("text", text, f"{stated} {more}")
    assert not right("text", f"{text} {more}", stated)


@ANY
@given(st.lists(st.integers(0, 50), min_size=1, max_size=6, unique=True), st.randoms(), st.sampled_from(STYLES[:10]))
def test_order_and_repetition_count_in_lists_alone(values: list[int], random: Any, style: Any) -> None:
    written = [style(value) for value in values]
    mixed = random.sample(written, len(written))
    assert right("list", values, written, of="number")
    assert right("list", values, mixed, of="number") is (mixed == written)
    assert right("set", values, mixed, of="number")
    assert right("set", values, [*mixed, written[0]], of="number")
    assert not right("list", values, [*written, written[0]], of="number")
    assert not right("set", values, [*mixed, 51], of="number")
    assert not right("set", values, mixed[1:], of="number")


@ANY
@given(st.lists(st.tuples(st.integers(0, 5), DAYS), min_size=1, max_size=5), st.randoms())
def test_rows_match_in_any_order_whatever_the_letters_of_their_keys(pairs: Any, random: Any) -> None:
    rows = [{"party": party, "on": day.isoformat()} for party, day in pairs]
    written = [{"PARTY": str(party), "on": day.strftime("%d %B %Y")} for party, day in pairs]
    random.shuffle(written)
    columns = {"party": "number", "on": "date"}
    assert right("rows", rows, written, columns=columns)
    assert not right("rows", rows, [{**written[0], "PARTY": 6}, *written[1:]], columns=columns)
    assert not right("rows", rows, [*written, written[0]], columns=columns)
