"""Rollouts as steps: measure, confirm, rate, compare."""

from __future__ import annotations

from ..agents.solvers import solver_named
from ..environments.package import Environment
from ..eval.bands import Band
from ..eval.intervals import beta_interval
from ..eval.measurement import Confirmation, Measurement, compare, confirm, measure
from ..eval.sampling import Sampler
from .doubting import LOOKS, doubts_of
from .requests import Compared, CompareRequest, Doubts, Measured, MeasureRequest, RateRequest


async def measure_step(environment: Environment, ask: MeasureRequest) -> Measured:
    """The sequential test's decision; a deterministic solver decides nothing."""
    solver, band = solver_named(ask.solver), Band.parse(ask.band)
    found = await measure(environment, ask.task, solver, band, seed=ask.seed, twin=ask.twin)
    return _measured(found, found.decision or "undecided", _doubts(environment, ask, found, "measure"))


async def confirm_step(environment: Environment, ask: MeasureRequest) -> Measured:
    solver, band = solver_named(ask.solver), Band.parse(ask.band)
    found = await confirm(environment, ask.task, solver, band, seed=ask.seed, twin=ask.twin)
    decisions = {True: "confirmed", False: "unconfirmed", None: "unmeasured"}
    return _measured(found, decisions[found.confirmed], _doubts(environment, ask, found, "confirm"))


async def rate_step(environment: Environment, ask: RateRequest) -> Measured:
    """A fixed number of samples (one, for a deterministic solver) that decide nothing."""
    solver = solver_named(ask.solver)
    n = 1 if solver.profile.deterministic else ask.n
    sampler = Sampler(environment, ask.task, solver, "measure", ask.seed, twin=ask.twin)
    counts = await sampler.collect(n, at_most=n)
    return Measured(
        decision="unmeasured" if counts.unmeasured else "undecided",
        solver=solver.profile.name,
        profile=solver.profile.hash,
        passes=counts.passes,
        n=counts.n,
        excluded=counts.samples - counts.n,
        posterior=_posterior(counts.passes, counts.n),
        rollouts=sampler.rollouts,
        doubts=doubts_of(environment, ask.task, ask.twin, sampler.rollouts, look=ask.look),
    )


async def compare_step(environment: Environment, ask: CompareRequest) -> Compared:
    effect = await compare(
        environment,
        ask.parent,
        ask.child,
        solver_named(ask.solver),
        n=ask.n,
        seed=ask.seed,
        child_twin=ask.child_twin,
        first_parent_index=ask.turn * ask.n,
    )
    return Compared(
        profile=effect.profile,
        parent_passes=effect.parent_passes,
        parent_n=effect.parent_n,
        child_passes=effect.child_passes,
        child_n=effect.child_n,
        rollouts=(*effect.parent_rollouts, *effect.child_rollouts),
    )


def _doubts(
    environment: Environment, ask: MeasureRequest, found: Measurement | Confirmation, purpose: str
) -> Doubts | None:
    return doubts_of(environment, ask.task, ask.twin, found.rollouts, look=LOOKS[purpose])


def _measured(found: Measurement | Confirmation, decision: str, doubts: Doubts | None) -> Measured:
    posterior = _posterior(found.passes, found.n)
    if found.posterior is not None:
        posterior["in_band"] = found.posterior
    return Measured(
        decision=decision,
        solver=found.solver,
        profile=found.profile,
        passes=found.passes,
        n=found.n,
        excluded=found.environment_errors + found.infra_errors,
        posterior=posterior,
        rollouts=found.rollouts,
        doubts=doubts,
    )


def _posterior(passes: int, n: int) -> dict[str, float]:
    """Mean and 95% credible interval under a Beta(1, 1) prior."""
    interval = beta_interval(passes, n)
    return {"mean": (passes + 1) / (n + 2), "low": interval.low, "high": interval.high}
