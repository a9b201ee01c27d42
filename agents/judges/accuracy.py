"""How often a judge is right, on cases whose label is known without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from ...environments.models import Frozen
from .base import Judgement
from .shares import Share, share

Label = Literal["met", "not_met"]


class OfLabel(Frozen):
    """`precision`: of the cases that the judge gave this label, those that have it. `recall`: of the cases that have
    it, those that the judge gave it; one that it cannot tell is missed."""

    precision: Share
    recall: Share


class Accuracy(Frozen):
    """`right`: of the decided cases. `cannot_tell` and `no_ruling`: of all; the latter are failures to answer."""

    n: int
    right: Share
    met: OfLabel
    not_met: OfLabel
    cannot_tell: Share
    no_ruling: Share
    false_alarms: Share
    """Cases that are met, and ruled not met."""
    false_passes: Share
    """Cases that are not met, and ruled met."""


def accuracy(pairs: Iterable[tuple[Label, Judgement | None]]) -> Accuracy:
    """Figures over (label, judgement); None where the judge gave none."""
    cells = Counter((label, "none" if judged is None else judged.ruling) for label, judged in pairs)
    n = sum(cells.values())
    right = cells["met", "met"] + cells["not_met", "not_met"]
    false_alarms, false_passes = cells["met", "not_met"], cells["not_met", "met"]
    labelled = {
        label: sum(count for (own, _), count in cells.items() if own == label) for label in ("met", "not_met")
    }
    return Accuracy(
        n=n,
        right=share(right, right + false_alarms + false_passes),
        met=OfLabel(
            precision=share(cells["met", "met"], cells["met", "met"] + false_passes),
            recall=share(cells["met", "met"], labelled["met"]),
        ),
        not_met=OfLabel(
            precision=share(cells["not_met", "not_met"], cells["not_met", "not_met"] + false_alarms),
            recall=share(cells["not_met", "not_met"], labelled["not_met"]),
        ),
        cannot_tell=share(cells["met", "cannot_tell"] + cells["not_met", "cannot_tell"], n),
        no_ruling=share(cells["met", "none"] + cells["not_met", "none"], n),
        false_alarms=share(false_alarms, labelled["met"]),
        false_passes=share(false_passes, labelled["not_met"]),
    )
