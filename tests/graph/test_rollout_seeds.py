"""The seed of a stored rollout's episode is told from where it is stored: its world's codes are made again."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from envolve.agents.team import TeamSpec
from envolve.environments.models import Rollout, Task
from envolve.environments.package import Environment, task_version
from envolve.eval.regrading import Divergence, replay
from envolve.graph.config import RunConfig
from envolve.graph.executors import LocalExecutor
from envolve.graph.item_work import ItemWorker
from envolve.graph.items import Item
from envolve.graph.limits import Limits
from envolve.graph.requests import TaskOutcome
from envolve.graph.rollout_seeds import rollout_seed
from envolve.graph.stepping import StepRunner
from envolve.graph.task_graph import TaskGraph

from .open_run import Run

SAMPLE = Path(__file__).parents[1] / "data" / "table-booking"
TASK = "book-the-terrace-for-four"
"""Whoever books gets a code, which depends on the episode's seed."""
BAND, SEED = "0.2:0.95", 11


@pytest.fixture
def booking(run: Run) -> Run:
    """The run with the sample package among its environments, its task audited."""
    environment = Environment.load(SAMPLE)
    shutil.copytree(SAMPLE, run.folder / "environments" / environment.id)
    known = run.store.environments.get(run.environment.id)
    assert known is not None
    with run.store.commit(run.plan(90, "build", "the sample").key) as tx:
        tx.add_environment(replace(known, id=environment.id, hash=environment.hash))
    found = run._replace(environment=environment)
    found.commit(found.plan(91, "write", environment.id, count=1), found.outcome(environment.tasks[TASK]))
    return found


@pytest.fixture
def runner(booking: Run) -> Iterator[StepRunner]:
    executor = LocalExecutor(1, TeamSpec().model_dump_json())
    yield StepRunner(booking.store, executor, TeamSpec(), root=booking.folder)
    executor.close()


def worked(booking: Run, runner: StepRunner, item: Item) -> Sequence[Rollout]:
    config = RunConfig(target="slip:1", band=BAND, seed=SEED)
    limits = Limits(config, booking.store)
    worker = ItemWorker(config, booking.store, runner, InMemorySaver(), booking.memory, limits, folder=booking.folder)
    outcome = asyncio.run(worker.work(item))
    told = [each.measured for each in outcome.tasks or ()] + [each.confirmed for each in outcome.tasks or ()]
    return [rollout for measured in (outcome.measured, *told) if measured for rollout in measured.rollouts]


def compared(booking: Run, runner: StepRunner, item: Item, task: Task) -> Sequence[Rollout]:
    """As an evolved task is, with itself for a parent."""
    graph = TaskGraph(runner, booking.memory, solver="slip:1", band=BAND)
    start: Any = {
        "key": item.key,
        "path": f"environments/{booking.environment.id}",
        "seed": item.seed(SEED),
        "task": runner.keep(item.key, task),
        "parent": runner.keep(item.key, task),
        "versions": {"task": task_version(booking.environment, task)},
        "until": "confirmed",
        "stage": "audited",
    }
    final: Any = asyncio.run(graph.compile(None).ainvoke(start))
    outcome = graph.outcome(final)
    assert isinstance(outcome, TaskOutcome)
    assert outcome.compared is not None
    return outcome.compared.rollouts


def again(booking: Run, item: Item, rollout: Rollout, *, seed: int = SEED) -> bool:
    """Whether its calls come out as recorded."""
    told = rollout_seed(seed, item.key, rollout, ran_as=rollout.version)
    task = booking.environment.tasks[TASK]
    return not isinstance(replay(booking.environment, task, rollout, seed=told), Divergence)


def test_rollouts_of_every_purpose_are_made_again(booking: Run, runner: StepRunner) -> None:
    task = booking.environment.tasks[TASK]
    version = task_version(booking.environment, task)
    items = {
        "measure": booking.plan(92, "measure", version[:16], task=version),
        "rate": booking.plan(93, "rate", f"{version[:16]}/slip:1", task=version, solver="slip:1"),
        "evolve": booking.plan(94, "evolve", f"{version[:16]}/paraphrase", task=version, operator="paraphrase"),
    }
    taken = {kind: worked(booking, runner, items[kind]) for kind in ("measure", "rate")}
    taken["evolve"] = compared(booking, runner, items["evolve"], task)
    booked = [
        (items[kind], rollout)
        for kind, rollouts in taken.items()
        for rollout in rollouts
        if any(event.tool == "book_table" and event.result and event.result.ok for event in rollout.trace.events)
    ]
    assert {(item.kind, rollout.purpose) for item, rollout in booked} == {
        ("measure", "measure"),
        ("measure", "confirm"),
        ("rate", "measure"),
        ("evolve", "effect"),
    }
    assert all(again(booking, item, rollout) for item, rollout in booked)
    assert not any(again(booking, item, rollout, seed=SEED + 1) for item, rollout in booked)
