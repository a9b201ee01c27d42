"""How well a score tells near-copies from distinct pairs: curve, area with a bootstrap interval, thresholds.

Scores are similarities: at or above a threshold a pair is called a copy. Pairs of one base world stand and fall
together, so the bootstrap draws base worlds, not pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DRAWS = 2_000
_MOST_POINTS = 200


class Scored(NamedTuple):
    """A pair of base world `base`, whether it is a near-copy, and its score."""

    base: int
    near: bool
    score: float


class Point(NamedTuple):
    """At this threshold: the share of near-copies caught, and of distinct pairs rejected."""

    threshold: float
    caught: float
    rejected: float


class Area(NamedTuple):
    """Area under the curve, with its 95% percentile interval over base worlds; NaN and none where one side is
    missing."""

    value: float
    interval: tuple[float, float] | None


def curve(pairs: Sequence[Scored]) -> list[Point]:
    """From the strictest threshold to the loosest: every score at which the curve turns, at most `_MOST_POINTS`."""
    near, far = (np.sort([pair.score for pair in pairs if pair.near == side]) for side in (True, False))
    thresholds = sorted({pair.score for pair in pairs}, reverse=True)
    points = [Point(math.inf, 0.0, 0.0)]
    points += [Point(limit, _share(near, limit), _share(far, limit)) for limit in thresholds]
    kept = [
        point
        for before, point, after in zip(points, points[1:], [*points[2:], None], strict=False)
        if after is None or not _straight(before, point, after)
    ]
    step = max(1, math.ceil(len(kept) / _MOST_POINTS))
    return [points[0], *kept[::step], *([points[-1]] if kept and kept[-1] not in kept[::step] else [])]


def area(pairs: Sequence[Scored], *, seed: int, draws: int = DRAWS) -> Area:
    """The chance that a near-copy scores higher than a distinct pair, ties counting half."""
    bases = sorted({pair.base for pair in pairs})
    wins, counts = _wins(pairs, bases)
    total = float(counts.sum())
    if not total:
        return Area(math.nan, None)
    random = np.random.default_rng(seed)
    drawn = random.multinomial(len(bases), [1 / len(bases)] * len(bases), size=draws).astype(np.float64)
    counted = np.einsum("di,ij,dj->d", drawn, counts, drawn)
    won = np.einsum("di,ij,dj->d", drawn, wins, drawn)
    areas = won[counted > 0] / counted[counted > 0]
    low, high = np.percentile(areas, [2.5, 97.5])
    return Area(float(wins.sum()) / total, (float(low), float(high)))


def threshold_for(pairs: Sequence[Scored], rate: float) -> float:
    """The least threshold at which at most `rate` of the distinct pairs are called copies."""
    far = sorted((pair.score for pair in pairs if not pair.near), reverse=True)
    allowed = math.floor(rate * len(far) + 1e-9)
    return float(np.nextafter(far[allowed], math.inf)) if allowed < len(far) else 0.0


def _wins(pairs: Sequence[Scored], bases: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By base of the near-copy and of the distinct pair: comparisons won by the near-copy, and comparisons."""
    sides = [
        {base: np.array([pair.score for pair in pairs if pair.base == base and pair.near == near]) for base in bases}
        for near in (True, False)
    ]
    wins, counts = np.zeros((len(bases), len(bases))), np.zeros((len(bases), len(bases)))
    for i, one in enumerate(bases):
        for j, other in enumerate(bases):
            near, far = sides[0][one][:, None], sides[1][other][None, :]
            wins[i, j] = float((near > far).sum() + 0.5 * (near == far).sum())
            counts[i, j] = near.size * far.size
    return wins, counts


def _share(ordered: NDArray[np.float64], limit: float) -> float:
    return float(len(ordered) - np.searchsorted(ordered, limit, "left")) / max(1, len(ordered))


def _straight(before: Point, point: Point, after: Point) -> bool:
    """Whether a point lies on a level or upright stretch of the curve."""
    level = before.caught == point.caught == after.caught
    return level or before.rejected == point.rejected == after.rejected
