"""Answers match by kind: awkward ways to say the right thing, and the wrong thing said plausibly."""

import datetime as dt
import json
import math
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments.answer_matching import answer_schema, answers_match
from envolve.environments.assignment import assign, assigns_all
from envolve.environments.models import Answer

NEVER = [None, True, False, "", [], {}, [[]], [None], {"a": {"b": []}}, math.nan, math.inf, object(), b"3900", "\x00"]


def answer(kind: str, value: Any, **fields: Any) -> Answer:
    return Answer.model_validate({"kind": kind, "value": value, **fields})


def right(expected: Answer, given: Any) -> bool:
    return answers_match(expected, expected.value, given)


@pytest.mark.parametrize(
    ("expected", "given", "matches"),
    [
        (3900, 3900, True),
        (3900, 3900.0, True),
        (3900, "3900", True),
        (3900, "3,900", True),
        (3900, "3 900", True),
        (3900, "3\u202f900", True),
        (3900, "3\u00a0900", True),
        (3900, "3'900", True),
        (3900, "3’900", True),
        (3900, "3_900", True),
        (3900, " $3,900.00 ", True),
        (3900, "3900 €", True),
        (3900, "USD 3,900", True),
        (3900, "3900EUR", True),
        (3900, "US$3900", True),
        (3900, "+3900", True),
        (3900, "3.9e3", True),
        (3900, "３９００", True),
        (3900, "39", False),
        (3900, "39.00", False),
        (3900, "$39.00", False),
        (3900, "3,90", False),
        (3900, "3901", False),
        (3900, 3900.0000001, True),
        (3900, "about 3900", False),
        (3900, "3900 guests", False),
        (3900, "3900 or 4000", False),
        (3900, "3900, 4000", False),
        (3900, [3900], False),
        (3900, {"value": 3900}, False),
        (3900, "9" * 100, False),
        (1, True, False),
        (0, False, False),
        (0, "", False),
        (0, None, False),
        (0, "0", True),
        (-5, "-5", True),
        (-5, "−5", True),
        (-5, "-$5", True),
        (-5, "$-5", True),
        (-5, 5, False),
        (12.5, "12.5", True),
        (12.5, "12,5", True),
        (12.5, "12.50%", True),
        (0.12, "12%", False),
        (12, "12 %", True),
        (0.3, 0.1 + 0.2, True),
        (1234.56, "1.234,56", True),
        (1234.56, "1,234.56", True),
        (1234.56, "1 234,56", True),
        (1234567, "1.234.567", True),
        (1234567, "12,34,567", True),
        (1.234, "1.234", True),
        (1.234, "1,234", False),
        (1234, "1.234", False),
        (0.123, "0,123", True),
        (10**15, 10**15 + 1, False),
        ("3,900", 3900, True),
    ],
)
def test_numbers(expected: Any, given: Any, matches: bool) -> None:
    assert right(answer("number", expected), given) is matches


@pytest.mark.parametrize(
    ("tolerance", "given", "matches"),
    [(0.5, 10.5, True), (0.5, 9.5, True), (0.5, 10.51, False), (0.01, "10.01", True), (0.0, 10.01, False)],
)
def test_number_within_a_tolerance(tolerance: float, given: Any, matches: bool) -> None:
    assert right(answer("number", 10, tolerance=tolerance), given) is matches


@pytest.mark.parametrize(
    ("expected", "given", "matches"),
    [
        ("2026-03-06", "2026-03-06", True),
        ("2026-03-06", " 6 March 2026 ", True),
        ("2026-03-06", "March 6, 2026", True),
        ("2026-03-06", "march 6 2026", True),
        ("2026-03-06", "6th of March, 2026", True),
        ("2026-03-06", "the 6th of March 2026", True),
        ("2026-03-06", "Mar. 6, 2026", True),
        ("2026-03-06", "06-Mar-2026", True),
        ("2026-03-06", "2026 March 6", True),
        ("2026-03-06", "2026/03/06", True),
        ("2026-03-06", "2026.3.6", True),
        ("2026-03-06", "20260306", True),
        ("2026-03-06", "2026-03-06T00:00:00Z", True),
        ("2026-03-06", "Friday, March 6, 2026", True),
        ("2026-03-06", "Fri 6 Mar 2026 at 7:30 pm", True),
        ("2026-03-06", "Thursday, March 6, 2026", False),
        ("2026-03-06", "03/06/2026", False),
        ("2026-03-06", "06.03.2026", False),
        ("2026-03-25", "25/03/2026", True),
        ("2026-03-25", "03/25/2026", True),
        ("2026-03-25", "25.03.2026", True),
        ("2026-06-06", "06/06/2026", True),
        ("2026-06-06", "06.06.2026", True),
        ("2026-03-06", "06/03/26", False),
        ("2026-03-06", "March 6", False),
        ("2026-03-06", "March 2026", False),
        ("2026-03-06", "2026-03-07", False),
        ("2026-03-06", "2026-13-06", False),
        ("2026-03-06", "30 February 2026", False),
        ("2026-03-06", "tomorrow", False),
        ("2026-03-06", "2026-03-06 or 2026-03-07", False),
        ("2026-03-06", 20260306, False),
        ("2026-03-06", ["2026-03-06"], False),
        ("2026-03-06", dt.date(2026, 3, 6), True),
        ("2026-03-06 19:30:00", "2026-03-06 19:30", True),
        ("2026-03-06 19:30:00", "2026-03-06T19:30:00", True),
        ("2026-03-06 19:30:00", "2026-03-06T19:30:00.000Z", True),
        ("2026-03-06 19:30:00", "6 March 2026, 7:30 PM", True),
        ("2026-03-06 19:30:00", "7:30 p.m. on March 6, 2026", True),
        ("2026-03-06 19:30:00", "2026-03-06 07:30", False),
        ("2026-03-06 19:30:00", "2026-03-06", False),
        ("2026-03-06 19:30:00", "2026-03-06 25:30", False),
        ("2026-03-06 19:30:00", "2026-03-06T19:30:00+02:00", False),
        ("2026-03-06 00:00:00", "2026-03-06", True),
        ("2026-03-06 12:00:00", "March 6 2026 12 pm", True),
        ("2026-03-06 00:00:00", "March 6 2026 12am", True),
        ("19:30", "7:30 PM", True),
        ("19:30", "19:30:00", True),
        ("19:00", "7pm", True),
        ("19:30", "7:30", False),
    ],
)
def test_dates(expected: str, given: Any, matches: bool) -> None:
    assert right(answer("date", expected), given) is matches


@pytest.mark.parametrize(
    ("expected", "given", "matches"),
    [
        ("Café Müller", "cafe muller", True),
        ("Café Müller", "  CAFÉ   MÜLLER ", True),
        ("Café Müller", "Cafe\u0301 Mu\u0308ller", True),
        ("Straße", "STRASSE", True),
        ("O'Brien", "O’Brien", True),
        ("Mon–Fri", "Mon-Fri", True),
        ("Harbor & Vine", '"Harbor & Vine"', True),
        ("Harbor & Vine", "Harbor & Vine.", True),
        ("Harbor & Vine", "Harbor and Vine", False),
        ("Harbor & Vine", "It is Harbor & Vine", False),
        ("Harbor & Vine", "Harbor", False),
        ("Harbor & Vine", ["Harbor & Vine"], False),
        ("1042", 1042, True),
        ("1", True, False),
        ("none", None, False),
    ],
)
def test_texts(expected: str, given: Any, matches: bool) -> None:
    assert right(answer("text", expected), given) is matches


def test_a_text_may_have_other_right_forms() -> None:
    expected = answer("text", "T4", accept=["Table 4"])
    assert right(expected, "table 4")
    assert not right(expected, "table 5")


@pytest.mark.parametrize(
    ("options", "expected", "given", "matches"),
    [
        (["refunded", "kept"], "kept", "Kept", True),
        (["refunded", "kept"], "kept", "refunded", False),
        (["refunded", "kept"], "kept", "both", False),
        (["yes", "no"], "yes", True, True),
        (["yes", "no"], "no", False, True),
        (["yes", "no"], "no", True, False),
        (["true", "false"], "true", True, True),
        (["a", "A"], "A", "A", True),
        (["a", "A"], "A", "a", False),
        (["1", "2"], "2", 2, True),
        (["1", "2"], "2", [2], False),
    ],
)
def test_choices(options: list[str], expected: str, given: Any, matches: bool) -> None:
    assert right(answer("choice", expected, options=options), given) is matches


@pytest.mark.parametrize(
    ("kind", "of", "expected", "given", "matches"),
    [
        ("list", "text", ["Ada", "Bo"], ["ada", "bo"], True),
        ("list", "text", ["Ada", "Bo"], ["bo", "ada"], False),
        ("list", "text", ["Ada", "Ada"], ["Ada"], False),
        ("list", "text", ["Ada"], "Ada", False),
        ("list", "text", ["Ada"], {"0": "Ada"}, False),
        ("list", "text", [], [], True),
        ("list", "text", [], None, False),
        ("list", "number", [1, 2], ["1", "2.0"], True),
        ("set", "text", ["Ada", "Bo"], ["bo", "ADA", "Bo"], True),
        ("set", "text", ["Ada", "Bo"], ["bo"], False),
        ("set", "text", ["Ada", "Bo"], ["ada", "bo", "Cy"], False),
        ("set", "text", ["Ada"], [["Ada"]], False),
        ("set", "text", [], [], True),
        ("set", "text", [], "", False),
        ("set", "date", ["2026-03-06"], ["6 March 2026", "2026-03-06"], True),
        ("set", "number", [1, 2], [True, 2], False),
    ],
)
def test_lists_and_sets(kind: str, of: str, expected: Any, given: Any, matches: bool) -> None:
    assert right(answer(kind, expected, of=of), given) is matches


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ({"guest": "ada", "party": "6"}, True),
        ({"party": 6, "guest": "Ada", "note": "x"}, True),
        ({"guest": "Ada"}, False),
        ({"guest": "Ada", "party": None}, False),
        ({"guest": "Ada", "party": {"value": 6}}, False),
        (["Ada", 6], False),
        ("Ada, 6", False),
        ('{"guest": "Ada", "party": 6}', False),
    ],
)
def test_objects(given: Any, matches: bool) -> None:
    expected = answer("object", {"guest": "Ada", "party": 6}, fields={"guest": "text", "party": "number"})
    assert right(expected, given) is matches


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ([{"guest": "Ada", "party": 2, "note": None}, {"guest": "Bo", "party": 4, "note": "window"}], True),
        ([{"guest": "bo", "party": "4", "note": "Window"}, {"guest": "ADA", "party": 2}], True),
        ([{"guest": "Ada", "party": 2, "note": ""}, {"guest": "Bo", "party": 4, "note": "window"}], True),
        ([{"guest": "Ada", "party": 4, "note": None}, {"guest": "Bo", "party": 2, "note": "window"}], False),
        ([{"guest": "Bo", "party": 4, "note": "window"}], False),
        ([{"guest": "Bo", "party": 4, "note": "window"}] * 2, False),
        ([{"guest": "Ada", "party": 2}, {"guest": "Bo", "party": 4, "note": "window"}, {"guest": "Cy"}], False),
        ({"Ada": 2, "Bo": 4}, False),
        (["Ada", "Bo"], False),
        ([], False),
    ],
)
def test_rows(given: Any, matches: bool) -> None:
    value = [{"guest": "Ada", "party": 2, "note": None}, {"guest": "Bo", "party": 4, "note": "window"}]
    columns = {"guest": "text", "party": "number", "note": "text"}
    assert right(answer("rows", value, key=["guest"], columns=columns), given) is matches


def test_rows_within_a_tolerance_need_the_best_pairing() -> None:
    expected = answer("rows", [{"n": 10}, {"n": 11}], columns={"n": "number"}, tolerance=1)
    assert right(expected, [{"n": 11}, {"n": 9.5}])
    assert not right(expected, [{"n": 9}, {"n": 9}])


def test_many_equal_rows_are_matched_without_recursion() -> None:
    rows = [{"guest": "Ada"}] * 300
    assert right(answer("rows", rows, columns={"guest": "text"}), list(rows))


EVERY_KIND = [
    answer("text", "Ada"),
    answer("number", 3900),
    answer("date", "2026-03-06"),
    answer("choice", "kept", options=["kept", "refunded"]),
    answer("list", ["Ada"], of="text"),
    answer("set", ["Ada"], of="text"),
    answer("object", {"a": "Ada"}, fields={"a": "text"}),
    answer("rows", [{"a": "Ada"}], columns={"a": "text"}),
]


@pytest.mark.parametrize("expected", EVERY_KIND, ids=lambda one: one.kind)
@pytest.mark.parametrize("given", NEVER, ids=lambda given: type(given).__name__)
def test_answers_of_the_wrong_shape_never_match(expected: Answer, given: Any) -> None:
    assert right(expected, given) is False


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["6 March 2026", "1,2", "$"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@settings(derandomize=True, database=None, max_examples=150)
@given(given=ANYTHING)
def test_no_answer_raises(given: Any) -> None:
    for expected in EVERY_KIND:
        assert right(expected, given) in (True, False)


def test_where_nothing_is_asked_anything_goes() -> None:
    assert answers_match(Answer(), None, None)
    assert answers_match(Answer(), None, "thanks")


@pytest.mark.parametrize("expected", EVERY_KIND, ids=lambda one: one.kind)
def test_the_schema_admits_the_answer_and_does_not_show_it(expected: Answer) -> None:
    schema = answer_schema(expected)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(expected.value, schema)
    if expected.kind != "choice":
        assert "Ada" not in json.dumps(schema)
        assert "3900" not in json.dumps(schema)
        assert "2026-03-06" not in json.dumps(schema)


def test_the_schema_tells_what_to_give() -> None:
    schema = answer_schema(answer("number", 3900, describe="The total in cents."))
    assert schema["description"].startswith("The total in cents.")
    assert answer_schema(Answer()) == {}
    rows = answer_schema(answer("rows", [{"a": "x"}], columns={"a": "choice"}, options=["x", "y"]))
    jsonschema.validate([{"a": None}], rows)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{"a": "z"}], rows)


@settings(derandomize=True, database=None, max_examples=100)
@given(
    st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5), st.lists(st.integers(0, 2), min_size=5, max_size=5)
)
def test_assignment_places_as_many_as_possible(choices: list[list[int]], capacity: list[int]) -> None:
    placed = assign(choices, capacity)
    assert all(place in choices[item] for item, place in placed.items())
    assert all(list(placed.values()).count(place) <= capacity[place] for place in range(5))
    assert len(placed) == _most(choices, capacity)
    assert assigns_all(choices) == (_most(choices, [1] * 5) == len(choices))


def _most(choices: list[list[int]], capacity: list[int]) -> int:
    """The largest number of items that fit, by trying everything."""
    if not choices:
        return 0
    best = _most(choices[1:], capacity)
    for place in set(choices[0]):
        if capacity[place]:
            less = [room - (index == place) for index, room in enumerate(capacity)]
            best = max(best, 1 + _most(choices[1:], less))
    return best
