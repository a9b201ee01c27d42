"""Rollouts that speak against a task: it is audited again, and what is unsound counts in no rate any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from envolve.agents.team import TeamSpec
from envolve.environments.models import Task
from envolve.environments.package import task_version
from envolve.graph.commits import Committer, Outcome
from envolve.graph.executors import LocalExecutor
from envolve.graph.items import Item
from envolve.graph.reauditing import rating_look, rechecked
from envolve.graph.requests import Measured, RateRequest, TaskOutcome
from envolve.graph.stepping import OTHERS, StepRunner
from envolve.graph.steps import RATE
from envolve.graph.task_graph import TaskGraph
from envolve.graph.task_state import TaskState
from envolve.memory.records import EffectRecord, MeasurementRecord, TaskRecord
from envolve.report.facts import gather
from envolve.standing import rates_of, task_lines

from .open_run import FRESH, Run


@pytest.fixture
def runner(run: Run) -> Iterator[StepRunner]:
    executor = LocalExecutor(1, TeamSpec().model_dump_json())
    yield StepRunner(run.store, executor, TeamSpec(), root=run.folder)
    executor.close()


def lenient(task: Task) -> Task:
    """Nothing is required: whoever stops at once passes, with an end that is not gold's."""
    allow = [
        entry.model_copy(
            update={
                name: limit.model_copy(update={"where": None})
                for name in ("insert", "delete")
                if (limit := getattr(entry, name))
            }
        )
        for entry in task.verifier.allow
    ]
    verifier = task.verifier.model_copy(update={"bind": {}, "require": (), "allow": tuple(allow)})
    return task.model_copy(update={"id": "passes-with-nothing", "verifier": verifier})


def confirmed(run: Run, task: Task, number: int) -> str:
    """The version of a task that was confirmed in an earlier round, by rollouts that showed nothing."""
    version = task_version(run.environment, task)
    item = run.plan(number, "write", f"{run.environment.id}-{number}", count=1)
    run.commit(item, run.outcome(task, stage="confirmed", fate="confirmed", confirmed=FRESH))
    run.store.work.finish_round(number)
    assert (found := run.store.tasks.get(version))
    assert found.fate in {"confirmed", "duplicate"}
    with_fate = run.plan(number + 1, "measure", version[:16], task=version)
    run.commit(with_fate, run.outcome(task, stage="confirmed", fate="confirmed"))
    run.store.work.finish_round(number + 1)
    return version


async def rated(run: Run, runner: StepRunner, item: Item, task: Task) -> tuple[Measured, tuple[TaskOutcome, ...]]:
    path = f"environments/{run.environment.id}"
    request = RateRequest(path=path, task=task, solver=str(item.solver), seed=5, n=12)
    measured = await runner.run(item.key, RATE, request)
    return measured, await rechecked(runner, run.store, item, request, measured)


def steps_of(run: Run, item: Item) -> list[str]:
    return [row.payload["step"] for row in run.store.staging.all(item.key, OTHERS)]


def test_a_confirmed_task_that_another_solver_disputes_leaves_every_rate(
    run: Run, runner: StepRunner, stood: TaskRecord
) -> None:
    task = lenient(stood.task)
    version = confirmed(run, task, 90)
    before = run.store.tasks.in_band()[run.environment.id]
    disputed = run.store.progress.task_fates().get("disputed", 0)
    item = run.plan(92, "rate", f"{version[:16]}/slip:-3", task=version, solver="slip:-3")
    measured, outcomes = asyncio.run(rated(run, runner, item, task))
    with run.store.commit(run.plan(93, "scout", "effects").key) as tx:
        effect: dict[str, Any] = {
            "operator": "widen",
            "declared": "harden",
            "profile": "p",
            "parent_passes": 6,
            "parent_n": 12,
        }
        tx.add_effect(EffectRecord(**effect, parent=stood.version, child=version, child_passes=1, child_n=12))
    assert any(effect.child == version for effect in run.store.operators.effects())
    Committer(run.store, run.folder, run.memory).commit(item, Outcome(measured=measured, tasks=outcomes), seconds=0)

    found = run.store.tasks.get(version)
    assert found is not None
    assert (found.stage, found.fate) == ("proposed", "disputed")
    assert "passed with an end state that is not gold's" in found.reason
    assert run.store.tasks.in_band()[run.environment.id] == before - 1
    assert run.store.progress.task_fates()["disputed"] == disputed + 1
    assert not (run.package / "tasks" / f"{task.id}.yaml").exists()
    assert not any(effect.child == version for effect in run.store.operators.effects())
    assert not any(
        summary.operator == "widen" and summary.shift == pytest.approx(1 / 12 - 0.5)
        for summary in run.store.operators.summaries()
    )
    (line,) = [line for line in task_lines(run.store, "slip:1") if line.version == version]
    assert (line.n, line.rate) == (0, None)
    assert all(rate.solver != "slip:1" or rate.n % 16 == 0 for rate in rates_of(run.store))
    facts = gather(run.store, run.folder)
    told = [task for lines in facts.environments for task in lines.tasks if task.record.version == version]
    assert [(task.fresh, task.others) for task in told] == [(None, ())]
    assert task.id not in {name for name, _ in facts.confirmed}


def test_a_sound_task_is_not_audited_twice(run: Run, runner: StepRunner, stood: TaskRecord) -> None:
    item = run.plan(90, "rate", f"{stood.version[:16]}/slip:0", task=stood.version, solver="slip:0")
    measured, outcomes = asyncio.run(rated(run, runner, item, stood.task))
    assert measured.n == 12
    assert outcomes == ()
    assert steps_of(run, item) == ["rate"]


def test_rollouts_of_the_target_dispute_a_task_before_it_is_confirmed(
    run: Run, runner: StepRunner, stood: TaskRecord
) -> None:
    task = lenient(stood.task)
    item = run.plan(90, "measure", "by the target", task=stood.version)

    async def work() -> TaskOutcome | None:
        graph = TaskGraph(runner, run.memory, solver="slip:-3", band="0.2:0.6")
        start: TaskState = {
            "key": item.key,
            "path": f"environments/{run.environment.id}",
            "seed": 1,
            "task": runner.keep(item.key, task),
            "versions": {"task": task_version(run.environment, task)},
            "until": "confirmed",
            "stage": "audited",
        }
        final: Any = await graph.compile(None).ainvoke(start)
        return graph.outcome(final)

    outcome = asyncio.run(work())
    assert outcome is not None
    assert (outcome.stage, outcome.fate) == ("proposed", "disputed")
    assert "passed with an end state that is not gold's" in outcome.reason
    assert outcome.confirmed is None
    assert outcome.report is not None
    assert outcome.report.grade == "disputed"
    assert steps_of(run, item) == ["measure", "audit"]


def test_an_inversion_is_held_against_what_earlier_rounds_committed(
    run: Run, runner: StepRunner, stood: TaskRecord
) -> None:
    """A solver that is better elsewhere fails here: the audit is asked, and finds the task sound."""
    other = next(task for task in run.store.tasks.all() if task.version != stood.version)
    for number, (version, solver, passes) in enumerate(
        [(other.version, "strong", 88), (other.version, "slip:1", 20), (stood.version, "slip:1", 60)], 90
    ):
        with run.store.commit(run.plan(number, "scout", f"known-{number}").key) as tx:
            rating: dict[str, Any] = {"purpose": "rate", "decision": "undecided", "n": 100, "created_round": number}
            tx.add_measurement(
                MeasurementRecord(version=version, profile=f"of {solver}", solver=solver, passes=passes, **rating)
            )
        run.store.work.finish_round(number)
    item = run.plan(95, "rate", "inverted", task=stood.version, solver="strong")
    measured = Measured(
        decision="undecided", solver="strong", profile="of strong", passes=2, n=24, excluded=0, posterior={}
    )
    asked = RateRequest(path=f"environments/{run.environment.id}", task=stood.task, solver="strong", seed=1, n=24)
    assert asyncio.run(rechecked(runner, run.store, item, asked, measured)) == ()
    assert steps_of(run, item) == ["audit"]
    calm = measured.model_copy(update={"passes": 15})
    quiet = run.plan(96, "rate", "not inverted", task=stood.version, solver="strong")
    assert asyncio.run(rechecked(runner, run.store, quiet, asked, calm)) == ()
    assert steps_of(run, quiet) == []


def test_looks_are_numbered_whatever_is_worked_first() -> None:
    assert [rating_look(name, ("null", "slip:0")) for name in ("null", "slip:0", "new")] == [3, 4, 5]
