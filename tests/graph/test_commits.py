"""What a commit does to what is stored already, and what it lets into a package."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envolve.agents.team import TeamSpec
from envolve.environments.models import Task
from envolve.environments.package import task_version
from envolve.graph.executors import LocalExecutor
from envolve.graph.requests import TaskOutcome
from envolve.graph.stepping import StepRunner
from envolve.graph.task_graph import TaskGraph
from envolve.graph.task_state import TaskState
from envolve.memory.records import TaskRecord

from .open_run import Run


@pytest.fixture
def forgotten(run: Run, stood: TaskRecord) -> Task:
    """A task that is like nothing that counts: the stored one was found broken, and so were its likes."""
    for number, record in enumerate(run.store.tasks.all(), 50):
        item = run.plan(number, "measure", record.version[:16], task=record.version)
        run.commit(item, run.outcome(record.task, version=record.version, fate="broken", reason="found later"))
    return stood.task


def reworded(task: Task, name: str) -> Task:
    return task.model_copy(update={"id": name, "instruction": f"{task.instruction} Thanks ({name})."})


def held(run: Run) -> set[str]:
    return {path.stem for path in (run.package / "tasks").glob("*.yaml")}


def audits(run: Run) -> set[str]:
    return set(json.loads((run.package / "reports" / "audit.json").read_text(encoding="utf-8")))


def test_a_child_that_is_a_stored_task_leaves_that_task_as_it_stands(run: Run, stood: TaskRecord) -> None:
    other = next(task for task in run.store.tasks.all() if task.version != stood.version)
    item = run.plan(99, "evolve", "back again", task=other.version, operator="shorten", direction="soften")
    closed = run.commit(item, run.outcome(stood.task, version=stood.version, fate="too_easy"))
    found = run.store.tasks.get(stood.version)
    assert found is not None
    assert (found.stage, found.fate, found.operator) == (stood.stage, stood.fate, stood.operator)
    assert closed.fate == "duplicate"


def test_of_two_alike_in_one_item_the_later_is_a_duplicate(run: Run, forgotten: Task) -> None:
    item = run.plan(99, "write", run.environment.id, count=2)
    tasks = [reworded(forgotten, name) for name in ("the-first", "the-second")]
    closed = run.commit(item, *map(run.outcome, tasks))
    first, second = (run.store.tasks.get(task_version(run.environment, task)) for task in tasks)
    assert first is not None
    assert second is not None
    assert (first.stage, first.fate) == ("audited", None)
    assert second.fate == "duplicate"
    assert first.version in second.reason
    assert closed.result == {"admitted": 1}


def test_a_package_holds_only_what_was_admitted(run: Run, stood: TaskRecord, forgotten: Task) -> None:
    assert stood.id not in held(run), "it was found broken"
    assert stood.id not in audits(run)
    before = held(run)
    item = run.plan(99, "write", run.environment.id, count=3)
    first, second, broken = (reworded(forgotten, name) for name in ("the-first", "the-second", "the-broken"))
    run.commit(item, run.outcome(first), run.outcome(second), run.outcome(broken, fate="broken", stage="proposed"))
    assert held(run) - before == {"the-first"}
    assert "the-first" in audits(run)
    assert not {"the-second", "the-broken"} & audits(run)


def test_a_task_whose_gold_fails_is_stored_with_the_failing_call(run: Run, stood: TaskRecord) -> None:
    call = next(step for step in stood.task.gold if hasattr(step, "call"))
    wrong = call.model_copy(update={"args": {"no_such_thing": 1}})
    task = reworded(stood.task, "cannot-be-done").model_copy(update={"gold": (wrong, stood.task.gold[-1])})
    item = run.plan(99, "write", run.environment.id, count=1)

    async def work() -> TaskOutcome | None:
        executor = LocalExecutor(1, TeamSpec().model_dump_json())
        runner = StepRunner(run.store, executor, TeamSpec(), root=run.folder)
        graph = TaskGraph(runner, run.memory, solver="slip:1", band="0.2:0.6")
        start: TaskState = {
            "key": item.key,
            "path": str(run.package),
            "seed": 1,
            "task": runner.keep(item.key, task),
            "until": "audited",
        }
        try:
            final: Any = await graph.compile(None).ainvoke(start)
            return graph.outcome(final)
        finally:
            executor.close()

    outcome = asyncio.run(work())
    assert outcome is not None
    before = run.store.progress.funnel()
    run.commit(item, outcome)
    found = run.store.tasks.get(outcome.version)
    assert found is not None
    assert (found.stage, found.fate) == ("proposed", "broken")
    assert f"step 1: {wrong.call}(no_such_thing=1) failed" in found.reason
    after = run.store.progress.funnel()
    assert after.proposed == before.proposed + 1
    assert after.rejected.get("broken", 0) == before.rejected.get("broken", 0) + 1
    assert "cannot-be-done" not in held(run)
