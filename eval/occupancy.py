"""Band occupancy: the share of confirmed tasks whose true pass rate lies in the band, from hold-out rollouts.

True rates follow a Beta distribution, the counts a beta-binomial one. Its mean and size are fitted on a grid; the
share is the posterior mean, over fits and tasks, of the probability of lying within the band, widened by a margin.
The interval is drawn from the posterior: a fit, then which tasks lie in the band under it, then the share that so
many tasks of a larger population would warrant. So few tasks give a wide interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..environments.canonical import seed_from
from ..environments.errors import InputError
from .bands import Band
from .intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HOLD_OUT = 64
"""Rollouts a task that measure occupancy and select nothing."""
MARGIN = 0.05
_DRAWS = 4000
_LEAST_WEIGHT = 1e-6


class Occupancy(NamedTuple):
    """`share` of `tasks` in the band, with its interval, and the likeliest Beta distribution of true rates."""

    share: float
    interval: Interval
    tasks: int
    alpha: float
    beta: float


class _Fits(NamedTuple):
    """Beta distributions and their posterior weights, arrays of equal length; the likeliest comes first."""

    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    weight: NDArray[np.float64]


def band_occupancy(
    counts: Sequence[tuple[int, int]],
    band: Band,
    *,
    margin: float = MARGIN,
    confidence: float = 0.95,
    seed: int = 0,
) -> Occupancy:
    """Occupancy from `counts`, each task's (passes, rollouts). Raises InputError without tasks."""
    import numpy as np

    if not counts:
        raise InputError(
            "No confirmed task has hold-out rollouts.", remedy="Measure occupancy after tasks are confirmed."
        )
    tally = Counter(counts)
    table = np.array(sorted(tally), dtype=np.int64)
    tasks = np.array([tally[count] for count in sorted(tally)], dtype=np.int64)
    fits = _fits(table, tasks)
    inside = _inside(table, fits, max(0.0, band.low - margin), min(1.0, band.high + margin))
    draws = _draws(inside, fits, tasks, seed_from("occupancy", seed))
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return Occupancy(
        share=float(fits.weight @ (inside @ tasks) / tasks.sum()),
        interval=Interval(float(low), float(high)),
        tasks=len(counts),
        alpha=float(fits.alpha[0]),
        beta=float(fits.beta[0]),
    )


def _fits(table: NDArray[np.int64], tasks: NDArray[np.int64]) -> _Fits:
    """The fits that matter. `table` holds (passes, rollouts) rows, `tasks` how many tasks have each."""
    import numpy as np
    from scipy.special import betaln, expit

    # Flat in the logit of the mean and in the logarithm of the size, alpha + beta.
    mean, size = expit(np.linspace(-5, 5, 101)), np.exp(np.linspace(-1, 7, 41))
    alpha, beta = np.outer(mean, size).ravel(), np.outer(1 - mean, size).ravel()
    passes, misses = table[:, 0], table[:, 1] - table[:, 0]
    likelihood = betaln(passes + alpha[:, None], misses + beta[:, None]) - betaln(alpha, beta)[:, None]
    log = likelihood @ tasks
    weight = np.exp(log - log.max())
    order = np.argsort(-weight, kind="stable")
    kept = order[weight[order] > _LEAST_WEIGHT]
    return _Fits(alpha[kept], beta[kept], weight[kept] / weight[kept].sum())


def _inside(table: NDArray[np.int64], fits: _Fits, low: float, high: float) -> NDArray[np.float64]:
    """P(true rate within low..high) for each fit and row of `table`, shape (fits, rows)."""
    import numpy as np
    from scipy.special import betainc

    a, b = table[:, 0] + fits.alpha[:, None], table[:, 1] - table[:, 0] + fits.beta[:, None]
    return np.asarray(np.clip(betainc(a, b, high) - betainc(a, b, low), 0, 1), dtype=np.float64)


def _draws(inside: NDArray[np.float64], fits: _Fits, tasks: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    """Posterior draws of the share, shape (_DRAWS,)."""
    import numpy as np

    generator = np.random.default_rng(seed)
    fit = generator.choice(len(fits.weight), size=_DRAWS, p=fits.weight)
    found = generator.binomial(tasks, inside[fit]).sum(axis=1)
    return np.asarray(generator.beta(found + 0.5, tasks.sum() - found + 0.5), dtype=np.float64)
