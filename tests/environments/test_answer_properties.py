"""What holds of the matching of any value: it is itself in any style, and nothing else in any."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import inflect
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from envolve.environments.answer_matching import answers_match
from envolve.environments.models import Answer


def right(kind: str, expected: Any, stated: Any, **options: Any) -> bool:
    return answers_match(Answer.model_validate({"kind": kind, "value": expected, **options}), expected, stated)


def grouped(separator: str, point: str, places: int = 2) -> Callable[[float | Decimal], str]:
    def write(value: float | Decimal) -> str:
        return separator.join(part.replace(".", point) for part in f"{value:,.{places}f}".split(","))

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
LONG = settings(ANY, max_examples=200)


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


def scaled(value: Decimal) -> st.SearchStrategy[Decimal]:
    """What is easily mistaken for a number: another unit, its negative, a neighbour, its whole part."""
    others = [value * 10, value * 100, value * 1000, value / 10, value / 100, value / 1000, -value, value + 1]
    return st.sampled_from([*others, value.to_integral_value()])


VALUES = st.one_of(st.integers(-60, 60), st.integers(-(10**7), 10**7)).flatmap(
    lambda whole: st.sampled_from([Decimal(whole), Decimal(whole) / 100, Decimal(whole) / 1000])
)
UNITS = (
    "{}",
    "${}",
    "{} €",
    "{}EUR",
    "kr {}",
    "{} kr",
    "{}%",
    "{} percent",
    "US${}",
    "CHF {}",
    "{}.-",
    "{},-",
    "{}-",
    "{}¢",
)
MINUS = ("-{}", "−{}", "({})", "- {}", "minus {}", "{}-")
ONE_GROUP = re.compile(r"\D*\d{1,3}[.,]\d{3}\D*")
"""Thousands or decimals: which of them is a rule, and may not be what was meant."""


@st.composite
def written(draw: st.DrawFn, value: Decimal) -> str:
    places = draw(st.integers(0, 3)) if value == value.to_integral_value() else 3
    signs = draw(st.sampled_from([",.", ".,", " ,", " .", "'.", "_.", "\u202f,"]))
    body = draw(st.sampled_from(UNITS)).format(grouped(signs[0], signs[1], places)(abs(value)))
    return draw(st.sampled_from(MINUS)).format(body) if value < 0 else body


@LONG
@given(VALUES.flatmap(lambda value: st.tuples(st.just(value), st.one_of(VALUES, scaled(value)))), st.data())
def test_two_numbers_match_in_no_style(pair: tuple[Decimal, Decimal], data: st.DataObject) -> None:
    value, other = pair
    assume(abs(value - other) >= Decimal("0.001"))
    text = data.draw(written(round(other, 3)))
    assume(not ONE_GROUP.fullmatch(text) and not text.endswith("-"))
    assert not right("number", float(value), text)


def moments(moment: dt.datetime) -> st.SearchStrategy[dt.datetime]:
    """What is easily mistaken for a moment: day and month exchanged, the other half of the day, a year or a day later."""
    swapped = moment.replace(month=moment.day, day=moment.month) if moment.day <= 12 else moment
    half, year = moment + dt.timedelta(hours=12), moment + dt.timedelta(days=365)
    return st.sampled_from([swapped, half, year, moment + dt.timedelta(days=1), moment.replace(minute=0)])


MOMENTS = st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2069, 12, 31)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)
ANY_DAY = (
    *DAY_STYLES,
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d-%m-%y",
    "%d %m %Y",
    "%m-%d-%Y",
    "%Y.%m.%d",
    "%d/%b/%y",
)
ANY_TIME = (*TIME_STYLES, "%H.%M", "%I.%M %p", "%I %p", "%-H.%M", "%H%M")


@LONG
@given(
    MOMENTS.flatmap(lambda moment: st.tuples(st.just(moment), st.one_of(MOMENTS, moments(moment)))),
    st.sampled_from(ANY_DAY),
    st.sampled_from(ANY_TIME),
    st.sampled_from(["{day} {time}", "{time}, {day}", "{day}T{time}", "{day} at {time}"]),
)
def test_two_moments_match_in_no_style(pair: tuple[dt.datetime, dt.datetime], on: str, at: str, both: str) -> None:
    moment, other = pair
    if "%M" not in at:
        other = other.replace(minute=0)
    day, time = other.strftime(on), other.strftime(at)
    stated = both.format(day=day, time=time)
    assert moment == other or not right("date", moment.isoformat(" "), stated)
    if moment.date() != other.date():
        assert not right("date", moment.date().isoformat(), day)
        assert not right("date", moment.date().isoformat(), stated)


@LONG
@given(
    st.lists(
        st.sampled_from(
            ["-1", "1", "+1", "0", "A", "A-", "a b", "a-b", "a_b", "in_progress", "yes", "no", "none", "true"]
        ),
        min_size=2,
        unique=True,
    ),
    st.data(),
)
def test_no_option_stands_for_another(options: list[str], data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(options))[:2]
    style = data.draw(st.sampled_from([*TEXT_STYLES, lambda text: text.replace("_", " "), lambda text: text]))
    assert right("choice", one, one, options=options)
    assert not right("choice", one, style(other), options=options) or style(other) == one
