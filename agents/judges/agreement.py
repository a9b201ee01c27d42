"""How far a judge and the verifiers agree, over rollouts that both have seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...environments.models import Frozen, Verdict
from .base import Judgement
from .shares import Share, share


class Agreement(Frozen):
    """Counts over the judged rollouts whose verdict counts, and what follows from those that the judge decided.

    `kappa` is Cohen's: 1 is perfect, 0 what two raters with these habits would reach by chance; None where one of
    the two always says the same and so does the other, or nothing was decided.
    """

    both_met: int
    both_not_met: int
    judge_only: int
    """Met for the judge, not for the verifier."""
    verifier_only: int
    cannot_tell: int
    left_out: int
    """Rollouts whose verdict says nothing of the solver."""
    agreed: Share
    met_of_passed: Share
    """Of the rollouts that the verifier passed and the judge decided, those the judge calls met."""
    not_met_of_failed: Share
    kappa: float | None


def agreement(pairs: Iterable[tuple[Judgement, Verdict]]) -> Agreement:
    """Figures over (judgement, verdict) pairs, one for each rollout."""
    cells = Counter((judged.ruling, verdict.reward is not None, verdict.passed) for judged, verdict in pairs)
    both_met, judge_only = cells["met", True, True], cells["met", True, False]
    verifier_only, both_not_met = cells["not_met", True, True], cells["not_met", True, False]
    decided = both_met + judge_only + verifier_only + both_not_met
    return Agreement(
        both_met=both_met,
        both_not_met=both_not_met,
        judge_only=judge_only,
        verifier_only=verifier_only,
        cannot_tell=cells["cannot_tell", True, True] + cells["cannot_tell", True, False],
        left_out=sum(count for (_, counts, _), count in cells.items() if not counts),
        agreed=share(both_met + both_not_met, decided),
        met_of_passed=share(both_met, both_met + verifier_only),
        not_met_of_failed=share(both_not_met, both_not_met + judge_only),
        kappa=_kappa(both_met, judge_only, verifier_only, both_not_met),
    )


def _kappa(both: int, first: int, second: int, neither: int) -> float | None:
    n = both + first + second + neither
    if not n:
        return None
    chance = ((both + first) * (both + second) + (neither + first) * (neither + second)) / n**2
    return None if chance == 1 else ((both + neither) / n - chance) / (1 - chance)
