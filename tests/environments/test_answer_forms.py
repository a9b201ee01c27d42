"""The many ways to write a right answer, and the wrong ones that look like it, in one table."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

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
    *table(
        "number",
        -5,
        ("5 €-", NO),
        ("€ 5 -", NO),
        ("5 -", NO),
        ("5- kr", NO),
        ("(minus five)", NO),
        ("-minus five", NO),
    ),
    *table("number", 5, ("-minus five", NO), ("5¢", NO), ("and five", NO), ("five and", NO), ("five-", NO)),
    *table("number", 52, ("5²", NO), ("fifty and two", NO), ("fifty--two", NO), ("五十二", NO)),
    *table("number", 18, ("18.000", NO), ("€18.000", NO), ("18.00", YES), ("18.0000", YES), (18.0, YES)),
    *table("number", 1.5, ("1.500", NO), ("1,500", NO), ("1,5", YES), ("1.50", YES), ("1.500,0", NO)),
    *table("number", 1.234, ("1.234", YES), ("1,234", NO), ("1234", NO), ("1.234.000", NO)),
    *table("number", 10**30, (str(10**30), YES), (str(10**30 + 1), NO), (f"-{10**30 + 1}", NO)),
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
    *table("text", ".", ("", NO), ("\u200b", NO), (" ", NO)),
    *table("text", "0", (0, YES), ("", NO), (False, NO), (None, NO), ("no", NO), ("none", NO)),
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
SCORES = {"options": ["-1", "0", "A-", "B"]}
CHOICES += [
    *table("choice", "-1", ("-1", YES), (-1, YES), ("1", NO), (1, NO), ("−1", YES), **SCORES),
    *table("choice", "A-", ("a-", YES), ("A", NO), ("A_", NO), **SCORES),
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
        ({"guest": "Ada", "on": "2026-03-06", "Party": None, "PARTY": 7}, NO),
        **FIELDS,
    ),
]
ROWS = [ADA, {"guest": "Bo", "party": 2, "on": None}]
COLUMNS = {"key": ["guest"], "columns": FIELDS["fields"]}
NEAR = {"tolerance": 1}
COLLECTIONS = [
    *table("list", ["Ada", "Bo"], (["ADA", "bo"], YES), (["Bo", "Ada"], NO), (["Ada", "Bo", "Bo"], NO), of="text"),
    *table("list", [1, 1, 2], ([1, 1, 2], YES), ([1, 2], NO), (["one", "1.0", "2"], YES), of="number"),
    *table("set", ["Ada", "Bo"], (["bo", "ada"], YES), (["Ada", "Bo", "ADA"], YES), (["Ada"], NO), of="text"),
    *table("set", ["Ada", "Bo"], (["Ada", "Bo", "Cy"], NO), ("Ada, Bo", NO), (["Ada, Bo"], NO), of="text"),
    *table("set", [], ([], YES), (None, NO), ("", NO), ({}, NO), ([None], NO), ([""], NO), of="text"),
    *table("set", ["2026-03-06"], (["Friday, 6 March 2026"], YES), (["2026-03-06", "06.03.2026"], NO), of="date"),
    *table("set", [1, 2], ([1.5], NO), ([2], NO), ([2, "2.0"], NO), ([1.5, 2], YES), of="number", **NEAR),
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
