"""Each operator changes what it says, and nothing that breaks the task."""

import asyncio
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import pytest

from envolve.agents.base import Pair
from envolve.agents.procedural.operators import OPERATORS, ProceduralEvolver, operator_named
from envolve.agents.procedural.operators.base import Workbench, workbench
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.plans import Plan, plan_of
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment

EVOLVER = ProceduralEvolver()
WRITER = ProceduralTaskWriter()
SOFTENED_AFTER = {
    "shorten": "deepen",
    "narrow": "widen",
    "reveal": "conceal",
    "precompute": "aggregate",
    "clear": "distract",
}
"""Softening operators are tried on what their counterpart made."""


class Made(Protocol):
    environment: Environment
    tasks: list[Task]


class Child(NamedTuple):
    environment: Environment
    parent: Task
    task: Task

    @property
    def plans(self) -> tuple[Plan, Plan]:
        before, after = plan_of(self.parent), plan_of(self.task)
        assert before is not None
        assert after is not None
        return before, after

    @property
    def benches(self) -> tuple[Workbench, Workbench]:
        before, after = (workbench(self.environment, plan) for plan in self.plans)
        assert before is not None
        assert after is not None
        return before, after


def evolved(environment: Environment, task: Task, operator: str, seed: int = 1) -> Task | None:
    child = asyncio.run(EVOLVER.evolve(environment, task, operator, seed=seed))
    return child.refusal if isinstance(child, Pair) else child


def children(made: list[Made], operator: str, most: int = 4) -> list[Child]:
    """Children by one operator; parents of softening operators are children of their counterparts."""
    found: list[Child] = []
    for environment, task in _parents(made, operator):
        child = evolved(environment, task, operator)
        if child is not None:
            found.append(Child(environment, task, child))
        if len(found) == most:
            break
    return found


def _parents(made: list[Made], operator: str) -> Iterator[tuple[Environment, Task]]:
    for one in made:
        for task in one.tasks:
            if operator not in SOFTENED_AFTER:
                yield one.environment, task
            elif harder := evolved(one.environment, task, SOFTENED_AFTER[operator]):
                yield one.environment, harder


@pytest.fixture(scope="module")
def child_lists(made: list[Made]) -> Callable[[str], list[Child]]:
    known: dict[str, list[Child]] = {}

    def lists(operator: str) -> list[Child]:
        if operator not in known:
            known[operator] = children(made, operator)
        return known[operator]

    return lists


ALWAYS = [operator.name for operator in OPERATORS if operator.name not in ("constrain", "relax")]


@pytest.mark.parametrize("operator", ALWAYS)
def test_children_work_and_remember_their_parent(child_lists: Callable[[str], list[Child]], operator: str) -> None:
    found = child_lists(operator)
    assert found
    for child in found:
        assert child.task.id != child.parent.id
        assert child.task.lineage.parent == child.parent.id
        assert child.task.lineage.operator == operator
        assert child.task.lineage.generation == child.parent.lineage.generation + 1
        run = run_gold(child.environment, child.task)
        assert run.ok, run.failure
        task = asyncio.run(WRITER.write_verifier(child.environment, child.task, run))
        with child.environment.open(task) as episode:
            run_gold(child.environment, task, episode=episode)
            assert episode.verify().passed
        with child.environment.open(task) as episode:
            episode.submit()
            assert not episode.verify().passed


def test_deepen_adds_a_step_on_a_row_of_an_earlier_one(child_lists: Callable[[str], list[Child]]) -> None:
    for child in child_lists("deepen"):
        before, after = child.plans
        assert after.parts[:-1] == before.parts
        assert after.parts[-1].follows is not None
        assert after.parts[-1].taken


def test_shorten_takes_a_following_step_away(child_lists: Callable[[str], list[Child]]) -> None:
    for child in child_lists("shorten"):
        before, after = child.plans
        assert len(after.parts) == len(before.parts) - 1
        assert {part.workflow for part in after.parts} <= {part.workflow for part in before.parts}


def test_widen_adds_a_goal_of_its_own_or_more_rows(child_lists: Callable[[str], list[Child]]) -> None:
    for child in child_lists("widen"):
        before, after = child.plans
        if len(after.parts) > len(before.parts):
            assert after.parts[:-1] == before.parts
            assert after.parts[-1].follows is None
        else:
            assert any(isinstance(rows, tuple) for part in after.parts for rows in part.rows.values())


def test_narrow_takes_a_goal_or_rows_away(child_lists: Callable[[str], list[Child]]) -> None:
    for child in child_lists("narrow"):
        before, after = child.plans
        assert len(after.parts) < len(before.parts) or after.parts != before.parts


@pytest.mark.parametrize(("operator", "sign"), [("conceal", 1), ("reveal", -1)])
def test_phrases_become_more_or_less_direct(
    child_lists: Callable[[str], list[Child]], operator: str, sign: int
) -> None:
    for child in child_lists(operator):
        before, after = child.benches
        assert [slot.reference.rows for slot in before.slots()] == [slot.reference.rows for slot in after.slots()]
        change = sum(slot.reference.distance for slot in after.slots()) - sum(
            slot.reference.distance for slot in before.slots()
        )
        assert change * sign > 0
        assert child.task.instruction != child.parent.instruction


@pytest.mark.parametrize(("operator", "sign"), [("aggregate", 1), ("precompute", -1)])
def test_rows_come_to_be_worked_out_or_named(
    child_lists: Callable[[str], list[Child]], operator: str, sign: int
) -> None:
    for child in child_lists(operator):
        before, after = child.benches
        change = sum(slot.reference.computed for slot in after.slots()) - sum(
            slot.reference.computed for slot in before.slots()
        )
        assert change * sign > 0


def test_distractors_are_of_this_task_alone_and_break_nothing(child_lists: Callable[[str], list[Child]]) -> None:
    for child in child_lists("distract"):
        before, after = child.plans
        assert after.parts == before.parts
        assert child.task.instruction == child.parent.instruction
        assert len(child.task.setup) > len(child.parent.setup)
        seen = [
            sum(size for pick in run_gold(child.environment, task).chosen for size in pick.sources.values())
            for task in (child.parent, child.task)
        ]
        assert seen[1] > seen[0]
        with child.environment.open(child.task) as episode:
            assert not episode.changes().rows
        bench = workbench(child.environment, after)
        assert bench is not None
        for invariant in child.environment.spec.invariants:
            assert not bench.world.rows(invariant.sql), invariant.name


def test_clear_takes_them_out(child_lists: Callable[[str], list[Child]]) -> None:
    assert all(child.task.setup == () for child in child_lists("clear"))


def test_paraphrase_says_the_same_otherwise(child_lists: Callable[[str], list[Child]]) -> None:
    found = child_lists("paraphrase")
    for child in found:
        before, after = child.plans
        assert before.shape == after.shape
        assert child.task.goal.sql == child.parent.goal.sql
        assert child.task.gold == child.parent.gold
    assert sum(child.task.instruction != child.parent.instruction for child in found) >= len(found) - 1


def test_operators_are_deterministic(made: list[Made]) -> None:
    environment, task = made[0].environment, made[0].tasks[0]
    for operator in OPERATORS:
        assert evolved(environment, task, operator.name) == evolved(environment, task, operator.name)


def test_hardening_and_softening_operators_are_listed_in_pairs() -> None:
    """Nothing undoes a refusal."""
    listed = EVOLVER.operators
    assert len(listed["harden"]) == len(listed["soften"]) + 1 == 7
    assert "paraphrase" in EVOLVER.placebos
    assert [operator.name for operator in OPERATORS if operator.counterpart is None] == ["refuse"]
    for operator in (operator for operator in OPERATORS if operator.counterpart is not None):
        counterpart = operator_named(operator.counterpart or "")
        assert counterpart.counterpart == operator.name


def test_unknown_operators_are_refused_with_what_exists(made: list[Made]) -> None:
    with pytest.raises(InputError, match=r"deepen, shorten"):
        evolved(made[0].environment, made[0].tasks[0], "obfuscate")


def test_tasks_by_other_hands_are_left_alone() -> None:
    environment = Environment.load("tests/data/table-booking")
    for task in environment.tasks.values():
        assert evolved(environment, task, "deepen") is None
