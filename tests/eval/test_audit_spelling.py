"""Texts that the solver writes, spelled otherwise: what the goal takes the verifier has to take."""

from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import AuditReport, GateResult, Task
from envolve.environments.models.audits import GateName
from envolve.eval.audit import audit

BOOK = "book-the-terrace-for-four"
SAID = "window side, no music"
Spoiled = Callable[[str, Callable[[dict[str, Any]], None]], Task]


def asking(required: str, wanted: str = f"same_text(b.note, '{SAID}')") -> Callable[[dict[str, Any]], None]:
    """The note as the requirement and as the goal are to compare it."""

    def spoil(raw: dict[str, Any]) -> None:
        raw["goal"]["sql"] = raw["goal"]["sql"].replace(f"same_text(b.note, '{SAID}')", wanted)
        (check,) = (check for check in raw["verifier"]["require"] if check["name"] == "with the note")
        check["sql"] = f"SELECT {required} FROM after.bookings WHERE id = :booking"

    return spoil


def gate_of(report: AuditReport, name: GateName) -> GateResult:
    return next(gate for gate in report.gates if gate.gate == name)


def audited(environment: Environment, task: Task) -> AuditReport:
    return audit(environment, task, attackers=())


@pytest.mark.parametrize("wanted", [f"same_text(b.note, '{SAID}')", f"lower(b.note) = '{SAID}'"])
def test_a_verifier_that_asks_for_the_letter_where_the_goal_does_not_is_disputed(
    environment: Environment, spoiled: Spoiled, wanted: str
) -> None:
    report = audited(environment, spoiled(BOOK, asking(f"note = '{SAID}'", wanted)))
    assert report.grade == "disputed"
    evidence = gate_of(report, "goal").evidence
    assert {shown["kind"] for shown in evidence} == {"text spelled otherwise"}
    assert all(shown["problem"] == "the goal holds, a requirement does not" for shown in evidence)
    booked = [call for shown in evidence for call in shown["calls"] if call["call"] == "book_table"]
    assert "WINDOW SIDE, NO MUSIC" in {call["args"]["note"] for call in booked}


def test_a_verifier_that_takes_less_spellings_than_the_goal_is_disputed(
    environment: Environment, spoiled: Spoiled
) -> None:
    report = audited(environment, spoiled(BOOK, asking(f"lower(note) = '{SAID}'")))
    assert report.grade == "disputed"
    assert {shown["value"] for shown in gate_of(report, "goal").evidence} == {"window  side,  no  music"}


def test_where_goal_and_verifier_both_ask_for_the_letter_nothing_is_said(
    environment: Environment, spoiled: Spoiled
) -> None:
    report = audited(environment, spoiled(BOOK, asking(f"note = '{SAID}'", f"b.note = '{SAID}'")))
    assert report.grade == "sound"


def test_a_verifier_that_takes_what_the_goal_takes_passes_in_each_spelling(
    environment: Environment, spoiled: Spoiled
) -> None:
    exact = audited(environment, spoiled(BOOK, asking(f"note = '{SAID}'", f"b.note = '{SAID}'")))
    loose = audited(environment, environment.tasks[BOOK])
    assert loose.grade == "sound"
    assert loose.alternatives.total == exact.alternatives.total + 3
    assert loose.mutants.killed == loose.mutants.total


def test_a_verifier_that_takes_a_spelling_that_the_goal_does_not_is_disputed(
    environment: Environment, spoiled: Spoiled
) -> None:
    report = audited(environment, spoiled(BOOK, asking(f"same_text(note, '{SAID}')", f"b.note = '{SAID}'")))
    assert report.grade == "disputed"
    problems = {shown["problem"] for shown in gate_of(report, "goal").evidence}
    assert problems == {"the goal does not hold, the requirements do"}


def test_any_other_text_is_still_a_mistake(environment: Environment, spoiled: Spoiled) -> None:
    report = audited(environment, spoiled(BOOK, asking("note LIKE '%window side%'", "b.note LIKE '%window side%'")))
    assert report.grade == "weak"
    assert gate_of(report, "end_state_mutants").status == "failed"


def test_the_same_text_in_another_spelling_is_no_mutant(environment: Environment, spoiled: Spoiled) -> None:
    """Other bookings have the note in other spellings: what is set to it is gold's end all the same."""

    def elsewhere(raw: dict[str, Any]) -> None:
        spellings = (SAID, SAID.upper(), SAID.title(), f" {SAID}")
        raw["setup"] = [f"UPDATE bookings SET note = '{text}' WHERE id % 4 = {n}" for n, text in enumerate(spellings)]

    report = audit(environment, spoiled(BOOK, elsewhere), attackers=(), list_dropped=True)
    assert report.grade == "sound"
    dropped = {(one.kind, one.rule) for one in report.dropped_mutants}
    assert ("column set to a sibling's value", "gold's end in another spelling") in dropped
    assert ("argument swapped", "gold's end in another spelling") in dropped
