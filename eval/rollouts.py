"""One solver's attempt at a task, in a fresh episode."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Literal, NamedTuple

from ..environments.canonical import seed_from
from ..environments.episode import Episode
from ..environments.errors import EnvolveError, WorldError
from ..environments.limits import Limits
from ..environments.models import Rollout, Task, Trace, Verdict
from ..environments.package import Environment, task_version
from ..environments.verification import verify
from .base import Solver
from .errors import InfraError, LimitReached, SolverError
from .foreign import raised_at
from .usage import metered

Purpose = Literal["measure", "confirm", "effect", "occupancy", "audit", "free"]

ATTEMPTS = 3
"""How often a rollout is run whole before its provider's failure is its outcome."""
_WORLD = f"{__name__.rsplit('.', 2)[0]}.environments."


class _Attempt(NamedTuple):
    verdict: Verdict
    trace: Trace
    calls: int


async def roll_out(
    environment: Environment,
    task: Task,
    solver: Solver,
    *,
    index: int,
    purpose: Purpose,
    seed: int,
    limits: Limits | None = None,
) -> Rollout:
    """Run `solver` on `task` once, in an episode of `episode_seed`.

    A provider that fails (InfraError) has the whole rollout run again in a fresh episode; after three attempts the
    outcome is infra_error. A world that fails gives environment_error. Raises SolverError for a bug of the solver;
    errors meant for people (a budget that is used up) pass through.
    """
    version, profile = task_version(environment, task), solver.profile
    opened_from = episode_seed(seed, version, profile.hash, purpose, index)
    started = time.perf_counter()
    with metered() as usage:
        attempt = await _attempt(environment, task, solver, opened_from, limits)
        for _ in range(ATTEMPTS - 1):
            if attempt.verdict.outcome != "infra_error":
                break
            attempt = await _attempt(environment, task, solver, opened_from, limits)
    return Rollout(
        environment=environment.id,
        task=task.id,
        version=version,
        solver=profile.name,
        profile=profile.hash,
        purpose=purpose,
        index=index,
        verdict=attempt.verdict,
        trace=attempt.trace,
        calls=attempt.calls,
        tokens=usage.tokens,
        cost_usd=usage.cost_usd,
        seconds=time.perf_counter() - started,
    )


def episode_seed(seed: int, version: str, profile: str, purpose: str, index: int) -> int:
    """The seed of the episode that a rollout is run in: it depends on nothing else."""
    return seed_from(seed, version, profile, purpose, index)


async def _attempt(
    environment: Environment, task: Task, solver: Solver, seed: int, limits: Limits | None
) -> _Attempt:
    with environment.play(task, limits=limits, seed=seed) as episode:
        try:
            limit = await _solve(solver, episode, task)
            verdict = _verdict(episode, task, limit)
        except InfraError as error:
            return _Attempt(Verdict(outcome="infra_error", message=str(error)), episode.trace, episode.calls)
        except WorldError as error:
            return _Attempt(Verdict(outcome="environment_error", message=str(error)), episode.trace, episode.calls)
        trace = episode.trace if limit is None else episode.trace.model_copy(update={"limit": limit})
        return _Attempt(verdict, trace, episode.calls)


async def _solve(solver: Solver, episode: Episode, task: Task) -> str | None:
    """Let the solver work; the limit of its own that it ran into, if any.

    Raises InfraError, WorldError for what went wrong in the world's own code, SolverError for the rest.
    """
    try:
        await solver.solve(episode)
    except LimitReached as reached:
        return reached.limit
    except EnvolveError:
        raise
    except (Exception, SystemExit) as error:
        if _in_world(error.__traceback__):
            raise WorldError(f"The world failed: {type(error).__name__}: {error}") from error
        raise SolverError(solver.profile.name, task.id, raised_at(error)) from error
    return None


def _in_world(trace: TracebackType | None) -> bool:
    """Whether an exception came up through the environments' code, which has to answer whatever it is asked."""
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith(_WORLD):
            return True
        trace = trace.tb_next
    return False


def _verdict(episode: Episode, task: Task, limit: str | None) -> Verdict:
    if limit is None or episode.submission is not None:
        return episode.verify()
    # The limit is the solver's own: the episode knows nothing of it.
    calls = (event.result for event in episode.trace.events if event.result is not None)
    broken = next((result.detail for result in calls if result.error and result.error.code == "internal"), None)
    return verify(
        episode.environment,
        task,
        before=episode.seed_image(),
        after=episode.final_image(),
        changes=episode.changes(),
        submission=None,
        limit=limit,
        internal_error=broken,
    )
