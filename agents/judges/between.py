"""How far several judges agree with each other, with the verifier as one more rater if asked for."""

from __future__ import annotations

from collections.abc import Sequence

from .base import Judgement, Ruling
from .fleiss import FleissKappa, fleiss_of


class BetweenJudges(FleissKappa):
    """Fleiss' kappa over the rollouts that every judge decided. `left_out`: those that one could not tell, or did not
    rule on."""

    left_out: int


def between_judges(
    judgements: Sequence[Sequence[Judgement | None]], verifier: Sequence[bool] | None = None
) -> BetweenJudges:
    """`judgements`: shape (rollouts, judges), None where a judge gave none. `verifier`: whether it passed each."""
    raters = [[_decided(judgement) for judgement in rollout] for rollout in judgements]
    if verifier is not None:
        passes: list[Ruling] = ["met" if passed else "not_met" for passed in verifier]
        raters = [[*rulings, passed] for rulings, passed in zip(raters, passes, strict=True)]
    whole = [[ruling for ruling in rulings if ruling is not None] for rulings in raters]
    decided = [rulings for rulings, all_of in zip(whole, raters, strict=True) if len(rulings) == len(all_of)]
    found = fleiss_of(decided)
    among = len(raters[0]) if raters else 0
    return BetweenJudges(**{**found.model_dump(), "raters": among}, left_out=len(raters) - len(decided))


def _decided(judgement: Judgement | None) -> Ruling | None:
    return None if judgement is None or judgement.ruling == "cannot_tell" else judgement.ruling
