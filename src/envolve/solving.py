"""Rollouts of tasks by a solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

from envolve.environments.errors import InputError
from envolve.environments.models import Rollout, Task
from envolve.environments.package import Environment
from envolve.eval.bands import Band
from envolve.eval.base import Solver, SolverProfile
from envolve.eval.errors import SolverError
from envolve.eval.intervals import wilson
from envolve.eval.measurement import measure
from envolve.eval.rollouts import roll_out
from envolve.eval.units import units


async def rollouts_of(
    environment: Environment, task: str, solver: Solver, *, count: int, seed: int
) -> AsyncIterator[Rollout]:
    """`count` fresh rollouts as they end; a deterministic solver gets one. Errors: InputError for an unknown task."""
    found = environment.task(task)
    if found is None:
        raise InputError("No task was named.", remedy="Give a task's id.")
    for index in range(1 if solver.profile.deterministic else count):
        yield await roll_out(environment, found, solver, index=index, purpose="free", seed=seed)


async def solve_task(environment: Environment, task: str, solver: Solver, *, count: int, seed: int) -> list[Rollout]:
    """All of `rollouts_of`."""
    return [rollout async for rollout in rollouts_of(environment, task, solver, count=count, seed=seed)]


def result_of(environment: str, task: str, profile: SolverProfile, rollouts: Sequence[Rollout]) -> dict[str, Any]:
    """A line of `--json` output: what counts is passed or failed; world and provider errors are left out."""
    outcomes = Counter(rollout.verdict.outcome for rollout in rollouts)
    n = len(rollouts) - outcomes["environment_error"] - outcomes["infra_error"]
    passes = outcomes["completed"]
    return {
        "environment": environment,
        "task": task,
        "solver": profile.name,
        "simulated": profile.kind == "simulated",
        "passes": passes,
        "rollouts": n,
        "interval": None if profile.deterministic or not n else list(wilson(passes, n)),
        "outcomes": dict(sorted(outcomes.items())),
    }


def twin_of(environment: Environment, task: str) -> str | None:
    """The task that is measured as one with `task`, if there is one: a refusal's twin, or the refusal of a twin."""
    for first, second in units(environment.tasks.values()):
        if second is not None and task in (first.id, second.id):
            return second.id if task == first.id else first.id
    return None


async def measure_environment(
    environment: Environment, solver: Solver, band: Band, *, seed: int
) -> list[dict[str, Any]]:
    """The sequential test on every task, on a refusal and its twin as one: then `twin` names the other, and `passes` of
    `rollouts` count pairs. Intervals and chances are the test's own (Beta(1, 1) prior). `error` says what the solver
    raised on a task, of which there is no rate then; the others are measured all the same."""
    return [
        await _measured(environment, task, twin, solver, band, seed=seed)
        for task, twin in units(environment.tasks.values())
    ]


async def _measured(
    environment: Environment, task: Task, twin: Task | None, solver: Solver, band: Band, *, seed: int
) -> dict[str, Any]:
    try:
        found = await measure(environment, task, solver, band, seed=seed, twin=twin)
    except SolverError as error:
        nothing = {"twin": twin.id if twin else None, "decision": None, "in_band": None, "error": error.reason}
        return {**result_of(environment.id, task.id, solver.profile, ()), **nothing}
    line = result_of(environment.id, task.id, solver.profile, found.rollouts)
    counted = {"twin": found.twin, "passes": found.passes, "rollouts": found.n}
    bounds = list(found.interval) if found.interval else None
    decided = {"interval": bounds, "decision": found.decision, "in_band": found.posterior, "error": None}
    return {**line, **counted, **decided}
