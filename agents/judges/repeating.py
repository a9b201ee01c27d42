"""Whether a judge says the same of the same rollout when it is asked again.

Repeatability is not accuracy: a judge that is always wrong in the same way repeats itself perfectly.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...environments.models import Frozen
from .base import Judgement
from .fleiss import FleissKappa, fleiss_of
from .shares import Share, share


class Repeated(Frozen):
    """Cases that were ruled on twice. `flips`: those with two rulings. `kappa`: Fleiss' over the two rounds, all three
    rulings being categories."""

    flips: Share
    kappa: FleissKappa


def repeated(pairs: Iterable[tuple[Judgement | None, Judgement | None]]) -> Repeated:
    """From first and second rulings. A case without one of them is left out."""
    both = [(first.ruling, second.ruling) for first, second in pairs if first is not None and second is not None]
    return Repeated(flips=share(sum(first != second for first, second in both), len(both)), kappa=fleiss_of(both))
