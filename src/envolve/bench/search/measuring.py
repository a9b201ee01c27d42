"""Rollouts of `search:BUDGET` on procedural tasks, world by world, in processes of their own.

Each task is tried once with each budget, so that the attempts of a figure are of different tasks. Refusals are left
out: a solver that reads the verifier gives the right one with no call made.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from envolve.agents.base import Scenario
from envolve.agents.solvers import solver_named
from envolve.environments.dataflow import structure_features
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out
from envolve.graph.executors import start_worker

from ..verifiers.making import environment_of, scenarios, with_tasks

PROCESSES = 2


class TaskTried(NamedTuple):
    """One task: the calls of its gold, those on the longest chain of data flow among them, whether it asks for an
    answer, and which budgets passed."""

    task: str
    calls: int
    critical_path: int
    asks: bool
    passed: dict[int, bool]


class WorldTried(NamedTuple):
    """One world. `left_out`: its refusals, and tasks whose gold does not run."""

    environment: str
    category: str
    tasks: tuple[TaskTried, ...]
    left_out: int


def measured(environments: int, tasks: int, budgets: Sequence[int], seed: int) -> Iterator[WorldTried]:
    """One result a world, as they come. The numbers depend on the arguments alone."""
    wanted = scenarios(environments, seed)
    if environments == 1:
        yield tried(wanted[0], tasks, budgets, seed)
        return
    spawn = multiprocessing.get_context("spawn")
    size, parent = min(PROCESSES, environments), (os.getpid(),)
    with ProcessPoolExecutor(size, mp_context=spawn, initializer=start_worker, initargs=parent) as pool:
        futures = [pool.submit(tried, scenario, tasks, budgets, seed + n) for n, scenario in enumerate(wanted)]
        try:
            for done in as_completed(futures):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def tried(scenario: Scenario, tasks: int, budgets: Sequence[int], seed: int) -> WorldTried:
    environment = with_tasks(environment_of(scenario, seed), tasks, seed)
    found = [_task_tried(environment, task, budgets, seed) for task in environment.tasks.values()]
    kept = tuple(one for one in found if one is not None)
    return WorldTried(environment.id, scenario.category, kept, len(found) - len(kept))


def _task_tried(environment: Environment, task: Task, budgets: Sequence[int], seed: int) -> TaskTried | None:
    run = run_gold(environment, task)
    if not run.ok or task.verifier.submit.status != "done":
        return None
    features = structure_features(environment, task, run)
    passed = {budget: _passes(environment, task, budget, seed) for budget in budgets}
    asks = task.verifier.answer.kind != "none"
    return TaskTried(task.id, int(features["calls"]), int(features["critical_path"]), asks, passed)


def _passes(environment: Environment, task: Task, budget: int, seed: int) -> bool:
    solver = solver_named(f"search:{budget}")
    rollout = asyncio.run(roll_out(environment, task, solver, index=0, purpose="free", seed=seed))
    return rollout.verdict.passed
