"""When a task whose verifier was found sound has to be audited again: what its rollouts say against it.

Pure: counts and ways in, reasons out. A trigger accuses nobody; the audit that it asks for decides.

Every test is exact for the number of rollouts that there are, at the level LEVEL for all looks at one task together. A
task is looked at whenever it got rollouts, so look number k (from 1) is given the share 1/(k(k+1)) of the level, which
sums to 1 however many looks there are, divided by the number of comparisons made at that look (Bonferroni). That a
sequential test ended some of the rollouts is not corrected for. An audit that was not needed costs a second and changes
nothing, so the level is about cost; that a broken task is missed is what costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Literal, NamedTuple

from ..environments.models import Frozen
from .intervals import binomial, binomial_tail, wilson
from .sampling import MOST_ENVIRONMENT
from .traces import Way

LEVEL = 0.05
MOST_DISAGREEMENT = 0.1
"""A judge that errs in one case of ten is a good one: only a larger share speaks against the code."""
LEAST_ERRORS = 2
"""One failure of the world is no share: it would count as credible in one or two rollouts."""

TriggerKind = Literal["environment_errors", "inversion", "judge", "other_path", "other_end"]


class Trigger(Frozen):
    """A reason to audit a task again: one sentence with its figures."""

    kind: TriggerKind
    reason: str


class SolverCount(NamedTuple):
    """A solver's rollouts of the task, and of other tasks (the same for all solvers that are compared)."""

    solver: str
    passes: int
    n: int
    other_passes: int = 0
    other_n: int = 0


class Evidence(NamedTuple):
    """What is known of a task when it is looked at for the `look`-th time. `rollouts` counts all, `errors` those that
    the world failed; `judged` are those that a judge and the code both decided."""

    look: int = 1
    rollouts: int = 0
    errors: int = 0
    solvers: tuple[SolverCount, ...] = ()
    judged: int = 0
    disagreed: int = 0
    ways: tuple[Way, ...] = ()


def triggers(evidence: Evidence) -> tuple[Trigger, ...]:
    """All that speaks for another audit; none mostly."""
    found = (
        other_end(evidence.ways),
        other_path(evidence.ways),
        environment_errors(evidence.errors, evidence.rollouts, look=evidence.look),
        inversion(evidence.solvers, look=evidence.look),
        judge(evidence.disagreed, evidence.judged, look=evidence.look),
    )
    return tuple(trigger for trigger in found if trigger is not None)


def level_of(look: int, comparisons: int = 1) -> float:
    """The level of one comparison at the `look`-th look."""
    return LEVEL / (look * (look + 1) * comparisons)


def environment_errors(errors: int, rollouts: int, *, look: int = 1) -> Trigger | None:
    """Credibly more than 2% of the rollouts were failed by the world: one-sided exact binomial test."""
    chance = binomial_tail(errors, rollouts, MOST_ENVIRONMENT)
    if errors < LEAST_ERRORS or chance > level_of(look):
        return None
    share = f"{errors} of {rollouts} rollouts were failed by the world ({errors / rollouts:.0%})"
    reason = f"{share}: by chance, with {MOST_ENVIRONMENT:.0%} of such errors, p = {chance:.2g}"
    return Trigger(kind="environment_errors", reason=reason)


def inversion(solvers: Sequence[SolverCount], *, look: int = 1) -> Trigger | None:
    """A solver that is credibly stronger on other tasks passes this one credibly less often: Fisher's exact test,
    one-sided, for both. Of several pairs the clearest."""
    pairs = [
        (better, worse)
        for better, worse in permutations(solvers, 2)
        if fisher(worse.other_passes, worse.other_n, better.other_passes, better.other_n) <= LEVEL
    ]
    if not pairs:
        return None
    chances = {pair: fisher(pair[0].passes, pair[0].n, pair[1].passes, pair[1].n) for pair in pairs}
    better, worse = min(pairs, key=lambda pair: chances[pair])
    if chances[better, worse] > level_of(look, len(pairs)):
        return None
    reason = (
        f"{better.solver} passed {better.passes} of {better.n}, the weaker {worse.solver} {worse.passes} of {worse.n}"
        f" (elsewhere {better.other_passes} of {better.other_n} against {worse.other_passes} of {worse.other_n}):"
        f" Fisher's exact test, p = {chances[better, worse]:.2g}"
    )
    return Trigger(kind="inversion", reason=reason)


def judge(disagreed: int, judged: int, *, look: int = 1) -> Trigger | None:
    """A judge contradicts the code credibly more often than a good judge errs: one-sided exact binomial test."""
    chance = binomial_tail(disagreed, judged, MOST_DISAGREEMENT)
    if not disagreed or chance > level_of(look):
        return None
    low, high = wilson(disagreed, judged)
    reason = (
        f"the judge contradicts the code in {disagreed} of {judged} rollouts (95% {low:.2f}–{high:.2f}):"
        f" p = {chance:.2g} if it erred in {MOST_DISAGREEMENT:.0%}"
    )
    return Trigger(kind="judge", reason=reason)


def other_path(ways: Sequence[Way]) -> Trigger | None:
    """Ways unlike gold's that passed and end ≈ gold's, or that end there and were rejected: the audit tries them."""
    passed, rejected = ([way for way in ways if way.same_end and bool(way.passed) is kind] for kind in (True, False))
    if not passed and not rejected:
        return None
    parts = [_ways(passed, "passed by a way unlike gold's")] if passed else []
    parts += [_ways(rejected, "ended as gold does, by another way, and failed")] if rejected else []
    return Trigger(kind="other_path", reason="; ".join(parts))


def other_end(ways: Sequence[Way]) -> Trigger | None:
    """Rollouts pass whose end state is not ≈ gold's: which of the two is right is open."""
    elsewhere = [way for way in ways if way.passed and not way.same_end]
    if not elsewhere:
        return None
    return Trigger(kind="other_end", reason=_ways(elsewhere, "passed with an end state that is not gold's"))


def fisher(passes: int, n: int, other_passes: int, other_n: int) -> float:
    """P(the first passes so few, given all passes) if both pass at one rate: Fisher's exact test, one-sided."""
    import numpy as np

    total = passes + other_passes
    rate = total / max(n + other_n, 1)  # any rate gives the same; at this one nothing underflows
    shares = np.arange(max(0, total - other_n), min(n, total) + 1)
    chances = binomial(n, rate)[shares] * binomial(other_n, rate)[total - shares]
    return float(chances[shares <= passes].sum() / chances.sum())


def _ways(ways: Sequence[Way], what: str) -> str:
    solvers = _listed(solver for way in ways for solver in way.solvers)
    count = sum(way.passed or way.rollouts for way in ways)
    first = ", ".join(call.split('"')[1] for call in ways[0].path) or "no write"
    rollouts = "1 rollout" if count == 1 else f"{count} rollouts"
    return f"{rollouts} of {solvers} {what} ({len(ways)} distinct; the first: {first})"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
