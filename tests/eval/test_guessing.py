"""The chance that a guess is right, by kind of answer."""

from collections.abc import Sequence
from typing import Any

import pytest

from envolve.environments.models import Answer
from envolve.eval.audit.guessing import Seen, Source, guess_chance

COLUMNS: dict[str, set[Any]] = {
    "name": {f"Person {n}" for n in range(40)},
    "price": {100 * n for n in range(1, 26)},
    "status": {"open", "closed"},
    "starts_on": {f"2026-03-{day:02}" for day in range(1, 11)},
}


def columns(name: str | None) -> Sequence[set[Any]]:
    return list(COLUMNS.values()) if name is None else [COLUMNS[name]] if name in COLUMNS else []


def chance(answer: dict[str, Any], expected: Any, results: Sequence[Any] = (), source: Source = None) -> float:
    return guess_chance(Answer.model_validate(answer), expected, Seen(results, columns), source)


def test_choices_are_one_in_the_options() -> None:
    answer = {"kind": "choice", "options": list("abcde"), "value": "a"}
    assert chance(answer, "a") == pytest.approx(0.2)


def test_texts_are_one_in_the_values_of_their_column() -> None:
    answer = {"kind": "text", "value": "Person 3"}
    assert chance(answer, "Person 3", source="name") == pytest.approx(1 / 40)
    assert chance(answer, "Person 3", [{"guest": "Person 3"}], source="guest") == pytest.approx(1 / 40)
    assert chance({"kind": "text", "value": "open"}, "open", source="status") == pytest.approx(0.5)
    assert chance({"kind": "text", "value": "Yes"}, "Yes") == pytest.approx(0.5)
    assert chance({"kind": "text", "value": "made of two columns"}, "made of two columns") == 0


def test_numbers_of_a_column_are_one_in_its_values() -> None:
    answer = {"kind": "number", "value": 700}
    assert chance(answer, 700, [{"price": 700}], source="price") == pytest.approx(1 / 25)
    assert chance({**answer, "tolerance": 100}, 700, source="price") == pytest.approx(3 / 25)


def test_computed_numbers_are_one_in_as_many_as_could_have_been() -> None:
    answer = {"kind": "number", "value": 3}
    assert chance(answer, 3, source="value") == pytest.approx(1 / 4)
    assert chance(answer, 3, [{"items": [{"id": n} for n in range(39)]}], source="total") == pytest.approx(1 / 40)
    assert chance({"kind": "number", "value": 4.25}, 4.25, source="mean") == pytest.approx(1 / 426)
    assert chance({"kind": "number", "value": 24, "tolerance": 5}, 24) == pytest.approx(11 / 25)
    assert chance({"kind": "number", "value": 24, "tolerance": 99}, 24) == 1


def test_dates_are_one_in_a_column_or_in_the_days_seen() -> None:
    answer = {"kind": "date", "value": "2026-03-04"}
    assert chance(answer, "2026-03-04", source="starts_on") == pytest.approx(1 / 10)
    seen = [{"at": "2026-05-01 10:00:00"}, {"at": "2026-05-20"}]
    assert chance({"kind": "date", "value": "2026-05-11"}, "2026-05-11", seen) == pytest.approx(1 / 20)


def test_records_multiply() -> None:
    answer = {
        "kind": "object",
        "fields": {"who": "text", "price": "number"},
        "value": {"who": "Person 3", "price": 700},
    }
    expected = {"who": "Person 3", "price": 700}
    assert chance(answer, expected, source={"who": "name"}) == pytest.approx(1 / 40 / 25)
    rows = {"kind": "rows", "columns": {"name": "text"}, "sql": "SELECT 1"}
    assert chance(rows, [{"name": "Person 1"}, {"name": "Person 2"}]) == pytest.approx(1 / 1600)


def test_lists_are_one_in_the_choices_of_items() -> None:
    answer = {"kind": "set", "of": "text", "value": ["Person 1", "Person 2"]}
    assert chance(answer, ["Person 1", "Person 2"], source="name") == pytest.approx(1 / 780)


def test_an_empty_answer_is_half_a_guess() -> None:
    assert chance({"kind": "set", "of": "text", "sql": "SELECT 1"}, []) == 0.5
    assert chance({"kind": "rows", "columns": {"name": "text"}, "sql": "SELECT 1"}, []) == 0.5
