"""Pass rates: sequential measurement, fresh confirmation, and a child against its parent.

A refusal and its twin are one: a sample is a rollout of each, and passes only if both do.

Rollouts are pure functions of (seed, task version, solver profile, purpose, index), so a measurement that was cut
short goes on from the rollouts it has and comes to the decision that it would have come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from ..environments.models import Frozen, Rollout, Task
from ..environments.package import Environment, task_version
from .bands import Band
from .base import Solver
from .confirmation import ConfirmationTest
from .effects import Difference, difference
from .intervals import Interval, beta_interval, probability_in_band
from .sampling import OnRollout, Sampler
from .sequential import BATCH, Decision, SequentialTest


class Estimate(Frozen):
    """What rollouts say of one task version and solver profile.

    `passes` of `n` samples that count: environment and infrastructure errors do not. `twin`: a sample is a rollout of
    `task` (a refusal) and one of this task. `interval` is the equal-tailed 95% credible interval of the pass rate,
    `posterior` is P(pass rate in band); both are None for a deterministic solver, which gets one sample. `reaudit`: more
    environment errors than a sound world shows.
    """

    task: str
    version: str
    solver: str
    profile: str
    band: Band
    passes: int
    n: int
    environment_errors: int
    infra_errors: int
    interval: Interval | None
    posterior: float | None
    reaudit: bool
    rollouts: tuple[Rollout, ...]
    twin: str | None = None


class Measurement(Estimate):
    """`decision` is None for a deterministic solver that was measured."""

    decision: Decision | Literal["unmeasured"] | None


class Confirmation(Estimate):
    """From fresh rollouts alone. `confirmed` is None where they could not be had, and for deterministic solvers."""

    confirmed: bool | None


class Effect(Frozen):
    """What an operator did to difficulty, in samples. `change` is None where parent or child could not be measured."""

    solver: str
    profile: str
    parent_passes: int
    parent_n: int
    child_passes: int
    child_n: int
    change: Difference | None
    parent_rollouts: tuple[Rollout, ...]
    child_rollouts: tuple[Rollout, ...]


async def measure(
    environment: Environment,
    task: Task,
    solver: Solver,
    band: Band,
    *,
    seed: int,
    twin: Task | None = None,
    rollouts_so_far: Sequence[Rollout] = (),
    on_rollout: OnRollout | None = None,
    concurrency: int = BATCH,
) -> Measurement:
    """Batches of samples until the sequential test decides; with `twin`, of pairs.

    `rollouts_so_far` are taken in index order instead of running them again; `on_rollout` is told each new one as
    it ends. `concurrency` bounds the samples in flight and changes no result. Raises InputError for a band that
    cannot be measured, SolverError for a bug of the solver.
    """
    sampler = Sampler(environment, task, solver, "measure", seed, rollouts_so_far, on_rollout, concurrency, twin=twin)
    decision: Decision | Literal["unmeasured"] | None = None
    if solver.profile.deterministic:
        counts = await sampler.collect(1, at_most=1)
        decision = "unmeasured" if counts.unmeasured else None
    else:
        test = SequentialTest.for_band(band)
        target = 0
        while decision is None:
            target += BATCH
            counts = await sampler.collect(target, at_most=test.cap)
            short = counts.unmeasured or counts.n < target
            decision = "unmeasured" if short else test.decide(counts.passes, counts.n)
    return Measurement(**_estimate(sampler, band), decision=decision)


async def confirm(
    environment: Environment,
    task: Task,
    solver: Solver,
    band: Band,
    *,
    seed: int,
    twin: Task | None = None,
    rollouts_so_far: Sequence[Rollout] = (),
    on_rollout: OnRollout | None = None,
    concurrency: int = BATCH,
) -> Confirmation:
    """A fixed number of fresh samples, judged by themselves. Arguments and errors as for `measure`."""
    sampler = Sampler(environment, task, solver, "confirm", seed, rollouts_so_far, on_rollout, concurrency, twin=twin)
    confirmed = None
    if solver.profile.deterministic:
        await sampler.collect(1, at_most=1)
    else:
        test = ConfirmationTest.for_band(band)
        counts = await sampler.collect(test.size, at_most=test.size)
        confirmed = test.confirms(counts.passes) if counts.n == test.size and not counts.unmeasured else None
    return Confirmation(**_estimate(sampler, band), confirmed=confirmed)


async def compare(
    environment: Environment,
    parent: Task,
    child: Task,
    solver: Solver,
    *,
    n: int = 24,
    seed: int,
    child_twin: Task | None = None,
    first_parent_index: int = 0,
    on_rollout: OnRollout | None = None,
) -> Effect:
    """`n` fresh samples each of parent and child, taken in turn, so that drift of a provider hits both alike.

    A child that is a refusal comes with its twin (`child_twin`): its samples are pairs. A parent compared with several
    children gets fresh rollouts each time by `first_parent_index`.
    """
    taken = partial(
        Sampler, environment, solver=solver, purpose="effect", seed=seed, on_rollout=on_rollout, concurrency=1
    )
    parents = taken(parent, first=first_parent_index)
    children = taken(child, twin=child_twin)
    for turn in range(1, n + 1):
        for sampler in (parents, children) if turn % 2 else (children, parents):
            await sampler.collect(turn, at_most=n)
    one, other = parents.counts, children.counts
    measured = one.n == other.n == n and not (one.unmeasured or other.unmeasured)
    return Effect(
        solver=solver.profile.name,
        profile=solver.profile.hash,
        parent_passes=one.passes,
        parent_n=one.n,
        child_passes=other.passes,
        child_n=other.n,
        change=difference(one.passes, one.n, other.passes, other.n) if measured else None,
        parent_rollouts=parents.rollouts,
        child_rollouts=children.rollouts,
    )


def _estimate(sampler: Sampler, band: Band) -> dict[str, Any]:
    """The fields of an Estimate."""
    counts, profile = sampler.counts, sampler.solver.profile
    random = not profile.deterministic
    return {
        "task": sampler.task.id,
        "version": task_version(sampler.environment, sampler.task),
        "solver": profile.name,
        "profile": profile.hash,
        "band": band,
        "passes": counts.passes,
        "n": counts.n,
        "environment_errors": counts.environment_errors,
        "infra_errors": counts.infra_errors,
        "interval": beta_interval(counts.passes, counts.n) if random else None,
        "posterior": probability_in_band(band, counts.passes, counts.n) if random else None,
        "reaudit": counts.reaudit,
        "rollouts": sampler.rollouts,
        "twin": sampler.twin.id if sampler.twin else None,
    }
