"""A refusal and its twin, through the task graph, the ordered commit and the package: one unit with one fate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from envolve.agents.team import TeamSpec
from envolve.environments.models import Task
from envolve.environments.package import Environment, task_version
from envolve.eval.audit import audit
from envolve.eval.sampling import count
from envolve.eval.units import Unit, units
from envolve.graph.executors import LocalExecutor
from envolve.graph.items import Item
from envolve.graph.requests import TaskOutcome
from envolve.graph.stepping import StepRunner
from envolve.graph.task_graph import TaskGraph
from envolve.memory.lineage import task_lineage
from envolve.memory.records import TaskRecord

from .evolving import alone, drawn_pairs
from .open_run import Run

Work = Callable[..., TaskOutcome]


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    made = LocalExecutor(1, TeamSpec().model_dump_json())
    yield made
    made.close()


@pytest.fixture
def pair(run: Run) -> Unit:
    """A refusal and its twin of the run's environment, without verifiers."""
    return next(drawn_pairs(run.environment))


@pytest.fixture
def work(run: Run, executor: LocalExecutor) -> Work:
    """Works a unit as an item does, up to where `until` says."""

    def settle(
        item: Item, unit: Unit, *, solver: str = "slip:1", until: Any = "confirmed", **state: Any
    ) -> TaskOutcome:
        runner = StepRunner(run.store, executor, TeamSpec(), root=run.folder)
        graph = TaskGraph(runner, run.memory, solver=solver, band="0.2:0.6")
        path = f"environments/{run.environment.id}"
        kept: Any = graph.keep(item.key, unit)
        if item.kind == "evolve":
            kept = {"parent": kept["task"], "parent_version": item.task, "operator": item.operator}
        start: Any = {"key": item.key, "path": path, "seed": 5, "until": until, **kept, **state}
        final: Any = asyncio.run(graph.compile(None).ainvoke(start))
        outcome = graph.outcome(final)
        assert outcome is not None
        return outcome

    return settle


def stored(run: Run, unit: Unit) -> list[TaskRecord]:
    """The records of both, by their ids."""
    return [run.store.tasks.resolve(half.id)[0] for half in unit if half]


def held(run: Run, unit: Unit) -> list[bool]:
    return [(run.package / "tasks" / f"{half.id}.yaml").exists() for half in unit if half]


def test_a_pair_is_measured_and_kept_as_one(run: Run, pair: Unit, work: Work) -> None:
    item = run.plan(99, "write", run.environment.id, count=1)
    outcome = work(item, pair)
    before = run.store.progress.funnel()
    run.commit(item, outcome)
    refusal, twin = stored(run, pair)
    assert (refusal.stage, refusal.fate, refusal.reason) == (twin.stage, twin.fate, twin.reason)
    assert "pairs passed (of the refusal" in refusal.reason
    assert (refusal.twin_of, twin.twin_of) == (None, refusal.version)
    assert (twin.root, twin.split) == (refusal.root, refusal.split)
    assert held(run, pair) == [True, True]
    measured = {record.purpose: record for record in run.store.tasks.measurements(refusal.version)}["measure"]
    assert run.store.tasks.measurements(twin.version) == []
    halves = [run.store.rollouts.iterate(version=one.version, purpose="measure") for one in (refusal, twin)]
    samples = list(zip(*(sorted(half, key=lambda rollout: rollout.index) for half in halves), strict=True))
    assert len(samples) == measured.n > 0
    assert (count(samples).passes, count(samples).n) == (measured.passes, measured.n)
    after = run.store.progress.funnel()
    assert (after.proposed, after.pairs) == (before.proposed + 1, before.pairs + 1)
    assert {node.version for node in task_lineage(run.store, refusal.version).nodes} == {
        refusal.version,
        twin.version,
    }


def test_both_lie_in_the_package_and_are_sound_there(run: Run, pair: Unit, work: Work) -> None:
    item = run.plan(99, "write", run.environment.id, count=1)
    run.commit(item, work(item, pair, until="audited"))
    package = Environment.load(run.package)
    (unit,) = (unit for unit in units(package.tasks.values()) if unit.task.id == pair.task.id)
    assert unit.twin is not None
    reports = [audit(package, half) for half in unit if half]
    assert [report.grade for report in reports] == ["sound", "sound"]
    assert reports[0].gate("twins").status == "passed"


@pytest.mark.parametrize(("which", "told"), [(0, "the refusal: gold failed"), (1, "its twin: gold failed")])
def test_what_one_lacks_both_lack(run: Run, pair: Unit, work: Work, which: int, told: str) -> None:
    halves = [half for half in pair if half]
    call = next(step for step in halves[which].gold if hasattr(step, "call"))
    wrong = call.model_copy(update={"args": {"no_such_thing": 1}})
    halves[which] = halves[which].model_copy(update={"gold": (wrong, halves[which].gold[-1])})
    item = run.plan(99, "write", run.environment.id, count=1)
    run.commit(item, work(item, Unit(*halves)))
    records = stored(run, pair)
    assert {(record.stage, record.fate) for record in records} == {("proposed", "broken")}
    assert all(record.reason.startswith(told) for record in records)
    assert held(run, pair) == [False, False]


def test_a_pair_measured_later_leaves_the_package_as_one(run: Run, pair: Unit, work: Work) -> None:
    writing = run.plan(99, "write", run.environment.id, count=1)
    run.commit(writing, work(writing, pair, until="audited"))
    refusal, twin = stored(run, pair)
    found = run.store.tasks.twin(refusal.version)
    assert found is not None
    assert found.version == twin.version
    item = run.plan(100, "measure", refusal.version[:16], task=refusal.version)
    unit = Unit(refusal.task, twin.task)
    versions = {"task": refusal.version, "twin": twin.version}
    outcome = work(item, unit, solver="slip:0", stage="audited", versions=versions)
    broken = outcome.model_copy(update={"fate": "broken", "reason": "found later"})
    assert broken.twin is not None
    run.commit(item, broken.model_copy(update={"twin": broken.twin.model_copy(update={"fate": "broken"})}))
    assert {record.fate for record in stored(run, pair)} == {"broken"}
    assert held(run, pair) == [False, False]


def test_a_twin_is_no_duplicate_of_its_refusal_but_the_pair_is_of_itself(run: Run, pair: Unit) -> None:
    def outcome(unit: Unit) -> TaskOutcome:
        assert unit.twin is not None
        return run.outcome(unit.task, twin=run.outcome(unit.twin))

    def reworded(task: Task, name: str) -> Task:
        return task.model_copy(update={"id": name, "instruction": f"{task.instruction} Thanks."})

    assert pair.twin is not None
    again = Unit(reworded(pair.task, "again"), reworded(pair.twin, "again-twin"))
    item = run.plan(99, "write", run.environment.id, count=2)
    run.commit(item, outcome(pair), outcome(again))
    assert [record.fate for record in stored(run, pair)] == [None, None]
    assert [record.fate for record in stored(run, again)] == ["duplicate", "duplicate"]
    assert (held(run, pair), held(run, again)) == ([True, True], [False, False])


def test_the_operator_makes_a_pair_of_a_request(run: Run, pair: Unit, work: Work) -> None:
    """The twin asks what its parent asked: it repeats it, and is kept all the same."""
    writing = run.plan(99, "write", run.environment.id, count=1)
    run.commit(writing, work(writing, Unit(alone(run.environment, pair)), until="audited"))
    (parent,) = run.store.tasks.resolve("asked-alone")
    item = run.plan(100, "evolve", "refuse", task=parent.version, operator="refuse", direction="harden")
    outcome = work(item, Unit(parent.task))
    run.commit(item, outcome)
    refusal, twin = (run.store.tasks.get(half.version) for half in outcome.halves())
    assert refusal is not None
    assert twin is not None
    assert refusal.task.twin == twin.id
    assert {record.parent for record in (refusal, twin)} == {parent.version}
    assert {record.operator for record in (refusal, twin)} == {"refuse"}
    assert refusal.fate == twin.fate != "duplicate"
    (effect,) = (effect for effect in run.store.operators.effects("refuse") if effect.parent == parent.version)
    assert (effect.child, effect.parent_n, effect.child_n) == (refusal.version, 12, 12)
    fresh = list(run.store.rollouts.iterate(purpose="effect", version=twin.version))
    assert len(fresh) == 12
    assert {rollout.version for rollout in fresh} == {task_version(run.environment, twin.task)}
