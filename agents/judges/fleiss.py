"""Fleiss' kappa: how far several raters agree beyond chance.

J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971), 378-382. Its
interval here is a bootstrap over subjects. It tells agreement, not that anybody is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...environments.errors import InputError
from ...environments.models import Frozen
from ...eval.intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RESAMPLES = 2_000
_BLOCK = 100
"""Resamples that are held in memory at once."""
_SEED = 1971


class FleissKappa(Frozen):
    """`kappa` over `n` subjects, each rated once by each of `raters`. None, without interval, where there is nobody to
    compare or all ratings are the same. `interval`: 95%, percentiles of a bootstrap over subjects."""

    kappa: float | None
    n: int
    raters: int
    interval: Interval | None


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> FleissKappa:
    """From counts, shape (subjects, categories): how many raters put each subject into each category.

    Raises InputError where subjects have different numbers of ratings.
    """
    import numpy as np

    if not counts:
        return FleissKappa(kappa=None, n=0, raters=0, interval=None)
    table = np.asarray(counts, dtype=np.float64)
    raters = int(table[0].sum())
    if table.ndim != 2 or bool((table.sum(axis=1) != raters).any()):
        raise InputError("Each subject needs the same number of ratings, counted in the same categories.")
    value = float(_kappas(table[np.newaxis])[0]) if raters > 1 else float("nan")
    if np.isnan(value):
        return FleissKappa(kappa=None, n=len(table), raters=raters, interval=None)
    return FleissKappa(kappa=value, n=len(table), raters=raters, interval=_bootstrap(table))


def fleiss_of(ratings: Sequence[Sequence[str]]) -> FleissKappa:
    """From ratings, shape (subjects, raters): what each rater says of each subject."""
    categories = sorted({rating for subject in ratings for rating in subject})
    return fleiss_kappa([[list(subject).count(category) for category in categories] for subject in ratings])


def _kappas(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kappa of each table, shape (samples, subjects, categories); NaN where chance alone agrees always."""
    import numpy as np

    raters = samples[0, 0].sum()
    agreed = ((samples**2).sum(axis=2) - raters) / (raters * (raters - 1))
    chance = (samples.mean(axis=1) / raters) ** 2
    expected = chance.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        kappas = (agreed.mean(axis=1) - expected) / (1 - expected)
    return np.where(np.isclose(expected, 1), np.nan, kappas)


def _bootstrap(table: NDArray[np.float64]) -> Interval | None:
    import numpy as np

    random = np.random.default_rng(_SEED)
    blocks = [
        _kappas(table[random.integers(0, len(table), size=(_BLOCK, len(table)))]) for _ in range(_RESAMPLES // _BLOCK)
    ]
    drawn = np.concatenate(blocks)
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < _RESAMPLES // 2:
        return None
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(float(low), float(high))
