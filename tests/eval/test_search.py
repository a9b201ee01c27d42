"""Search without gold: it finds programs that pass, says what they cost, and repeats exactly."""

from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.eval.search import search
from envolve.eval.search.readouts import key_of, readout
from envolve.eval.search.said import said

BOOK, COUNT, MOVE = "book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"
Spoiled = Callable[[str, Callable[[dict[str, Any]], None]], Task]


def without_gold(environment: Environment, name: str) -> Task:
    return environment.tasks[name].model_copy(update={"gold": ()})


@pytest.mark.parametrize("name", [BOOK, COUNT, MOVE])
def test_a_program_that_passes_is_found_without_gold(environment: Environment, name: str) -> None:
    found = search(environment, without_gold(environment, name), budget=300)
    assert found.passing is not None
    assert 0 < found.spent <= 300
    task = environment.tasks[name].model_copy(update={"gold": found.passing.program})
    with environment.open(task) as episode:
        assert run_gold(environment, task, episode=episode).ok
        assert episode.verify().passed


def test_a_search_repeats_exactly_and_keeps_to_its_budget(environment: Environment) -> None:
    task = without_gold(environment, BOOK)
    first, second = (search(environment, task, budget=120, seed=7, enough=50, jitter=2.0) for _ in range(2))
    assert first == second
    assert first.spent == 120
    others = (search(environment, task, budget=120, seed=seed, enough=50, jitter=2.0) for seed in range(8, 12))
    assert any(other != first for other in others)


def test_without_a_budget_nothing_is_called(environment: Environment) -> None:
    found = search(environment, without_gold(environment, MOVE), budget=0)
    assert (found.found, found.spent, found.best.calls) == ((), 0, ())


def test_a_refusal_is_found_at_once(environment: Environment, spoiled: Spoiled) -> None:
    def refuse(raw: dict[str, Any]) -> None:
        raw["verifier"] = {"submit": {"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}}
        raw["gold"] = []

    (found,) = search(environment, spoiled(MOVE, refuse), budget=50).found
    assert (found.calls, found.submission.status, found.submission.reason) == ((), "refused", 2)


def test_an_answer_is_read_off_results_and_not_known_beforehand(environment: Environment) -> None:
    task = without_gold(environment, COUNT)
    found = search(environment, task, budget=300).passing
    assert found is not None
    assert found.calls
    assert all(not environment.writes(call.tool) for call in found.calls)
    assert search(environment, task, budget=0).passing is None


def test_a_state_that_somebody_asks_for_is_found_though_the_verifier_rejects_it(
    environment: Environment, spoiled: Spoiled
) -> None:
    def strict(raw: dict[str, Any]) -> None:
        raw["verifier"]["require"].append({"name": "never", "sql": "SELECT 0"})

    end = run_gold(environment, environment.tasks[MOVE]).signature
    found = search(environment, spoiled(MOVE, strict), budget=300, end=end)
    assert [(one.passes, one.signature) for one in found.found] == [(False, end)]


def test_a_verifier_that_breaks_finds_nothing(environment: Environment, spoiled: Spoiled) -> None:
    def broken(raw: dict[str, Any]) -> None:
        raw["verifier"]["require"][0]["sql"] = "SELECT nothing FROM after.nowhere"

    assert search(environment, spoiled(MOVE, broken), budget=50).found == ()


def computed(raw: dict[str, Any]) -> None:
    """The party's size follows from the seed state alone, and the instruction says nothing."""
    raw["instruction"] = "Please."
    (check,) = (check for check in raw["verifier"]["require"] if check["name"] == "party of six")
    check["sql"] = (
        "SELECT party_size = (SELECT 2 * 3 FROM before.restaurants LIMIT 1) FROM after.bookings WHERE id = 1806"
    )


def test_what_the_verifier_computes_from_the_seed_state_is_known(environment: Environment, spoiled: Spoiled) -> None:
    found = search(environment, spoiled(MOVE, computed), budget=25).passing
    assert found is not None
    assert found.calls[-1].args["party_size"] == 6


def test_a_column_that_is_to_be_null_is_left_out(environment: Environment, spoiled: Spoiled) -> None:
    """Though the instruction quotes a text that would do for it."""

    def no_note(raw: dict[str, Any]) -> None:
        (check,) = (check for check in raw["verifier"]["require"] if check["name"] == "with the note")
        check["sql"] = "SELECT note IS NULL FROM after.bookings WHERE id = :booking"

    found = search(environment, spoiled(BOOK, no_note), budget=60).passing
    assert found is not None
    (booked,) = (call for call in found.calls if call.tool == "book_table")
    assert "note" not in booked.args


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("an hour and a half", 90), ("for 2 hours", 120), ("half an hour", 30), ("one hour", 60)],
)
def test_hours_are_heard_as_minutes(text: str, minutes: int) -> None:
    assert minutes in said(f"Book it for {text}, please.", "2026-03-02 09:00:00").numbers


def test_what_most_rows_have_in_common_can_be_read_off() -> None:
    rows = [{"id": number, "handler": name} for number, name in enumerate(("Ann", "Bo", "Ann"))]
    assert key_of("Ann") in readout({"items": rows}, frozenset()).values
    assert key_of("Bo") not in readout({"items": rows}, frozenset()).values
    assert key_of("Ann") not in readout({"items": [*rows, {"id": 9, "handler": "Bo"}]}, frozenset()).values
