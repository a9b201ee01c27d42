"""Faults in tasks are planted one at a time, change how a task ends or reads, and leave the other tasks alone."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from envolve.agents.faults import TASK_KINDS, Planted, canonical, task_difference, task_plants
from envolve.environments.gold import run_gold
from envolve.environments.models.audits import GateName
from envolve.environments.package import Environment
from envolve.eval.audit import audit

SAMPLE = Path(__file__).parents[2] / "data" / "table-booking"
GATES: dict[str, GateName] = {
    "gold_contradicts": "gold",
    "instruction_ambiguous": "grounding",
    "task_infeasible": "gold",
    "verifier_always_passes": "null",
    "verifier_strict": "alternatives",
    "verifier_weak": "end_state_mutants",
}
"""The gate of the audit that is there for each kind. Gold is spoilt here without a verifier that follows it."""


@pytest.fixture(scope="module")
def sound() -> Environment:
    loaded = Environment.load(SAMPLE)
    return canonical(loaded, loaded.tasks.values())


def _counting(sound: Environment, kind: str) -> list[Planted]:
    found = task_plants(sound, kind)
    counting = (each for each in found if each.task and task_difference(sound, each.environment, each.task))
    return list(islice(counting, 2))


def test_sound_tasks_do_not_differ_from_themselves(sound: Environment) -> None:
    assert all(task_difference(sound, sound, name) is None for name in sound.tasks)


@pytest.mark.parametrize("kind", sorted(GATES))
def test_the_audit_sees_what_the_operators_plant(kind: str, sound: Environment) -> None:
    planted = _counting(sound, kind)
    assert planted
    failed = set()
    for each in planted:
        assert each.task is not None
        changed = [name for name in sound.tasks if sound.tasks[name] != each.environment.tasks[name]]
        assert changed == [each.task] or each.environment.hash != sound.hash
        report = audit(each.environment, each.environment.tasks[each.task], gates=("gold", GATES[kind]))
        failed |= {gate.gate for gate in report.gates if gate.status == "failed"}
    assert GATES[kind] in failed


def test_weak_verifiers_pass_slips_against_the_goal(sound: Environment) -> None:
    found = [
        task_difference(sound, each.environment, each.task or "") for each in task_plants(sound, "verifier_weak")
    ]
    assert found
    assert all(each is not None and each.against_goal for each in found)


def test_a_seed_that_contradicts_a_task_lets_its_solution_fail(sound: Environment) -> None:
    task = sound.tasks["book-the-terrace-for-four"]
    one = task.grounding["my place on Sakura House's waitlist"]
    plain = one.model_copy(update={"sql": "SELECT id FROM before.restaurants WHERE name = 'Sakura House'"})
    speaking = task.model_copy(
        update={"grounding": {"the waitlist of Sakura House": plain.model_copy(update={"table": "restaurants"})}}
    )
    found = _counting(sound.without_tasks().with_tasks([speaking]), "seed_contradicts")
    assert found
    assert all(planted.environment.hash != sound.hash for planted in found)
    assert all(not run_gold(planted.environment, task).ok for planted in found)


def test_kinds_of_task_faults_are_those_of_the_design() -> None:
    assert len(TASK_KINDS) == 7
    assert set(GATES) | {"seed_contradicts"} == set(TASK_KINDS)
