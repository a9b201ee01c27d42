"""Band occupancy: the share of confirmed tasks whose true pass rate lies in the band, from hold-out rollouts.

True rates follow a Beta distribution, fitted to the counts by maximum likelihood (beta-binomial). The share is the
mean, over tasks, of the posterior probability of lying within the band, widened by a margin. The interval is drawn:
the distribution is refitted to a bootstrap resample of the tasks, which tasks lie in the band is drawn from the
posteriors under that fit, and the share from the Beta posterior that so many tasks warrant. So few tasks give a wide
interval.
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
_RESAMPLES = 300


class Occupancy(NamedTuple):
    """`share` of `tasks` in the band, with its interval, and the fitted Beta distribution of true rates."""

    share: float
    interval: Interval
    tasks: int
    alpha: float
    beta: float


def occupancy(
    counts: Sequence[tuple[int, int]], band: Band, *, margin: float = MARGIN, confidence: float = 0.95, seed: int = 0
) -> Occupancy:
    """Occupancy from `counts`, each task's (passes, rollouts). Raises InputError without tasks."""
    import numpy as np

    if not counts:
        raise InputError(
            "No confirmed task has hold-out rollouts.", remedy="Measure occupancy after tasks are confirmed."
        )
    tally = Counter(counts)
    table = np.array(sorted(tally), dtype=np.int64)
    weights = np.array([tally[count] for count in sorted(tally)], dtype=np.int64)
    alpha, beta = _fit(table, weights)
    share = float(weights @ _inside(table, alpha, beta, _limits(band, margin)) / weights.sum())
    draws = _draws(table, weights, _limits(band, margin), seed_from("occupancy", seed))
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return Occupancy(share, Interval(float(low), float(high)), len(counts), alpha, beta)


def _limits(band: Band, margin: float) -> tuple[float, float]:
    return max(0.0, band.low - margin), min(1.0, band.high + margin)


def _fit(table: NDArray[np.int64], weights: NDArray[np.int64]) -> tuple[float, float]:
    """(alpha, beta) of greatest likelihood; `table` holds (passes, rollouts) rows, `weights` how many tasks each."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import betaln, psi

    passes, misses = table[:, 0], table[:, 1] - table[:, 0]
    share = float(np.clip((weights @ passes) / (weights @ table[:, 1]), 0.02, 0.98))

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        a, b = _shape(float(at[0]), float(at[1]))
        likelihood = weights @ (betaln(passes + a, misses + b) - betaln(a, b))
        common = psi(a + b) - psi(passes + misses + a + b)
        by_a = weights @ (psi(passes + a) - psi(a) + common)
        by_b = weights @ (psi(misses + b) - psi(b) + common)
        along = a * b / (a + b)
        return -float(likelihood), np.array([-(by_a - by_b) * along, -(by_a * a + by_b * b)])

    start = np.array([np.log(share / (1 - share)), np.log(8.0)])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(-6.0, 6.0), (-1.0, 7.0)], tol=1e-6)
    return _shape(float(found.x[0]), float(found.x[1]))


def _shape(logit_mean: float, log_size: float) -> tuple[float, float]:
    """(alpha, beta) from the mean's logit and the logarithm of alpha + beta."""
    from math import exp

    mean, size = 1 / (1 + exp(-logit_mean)), exp(log_size)
    return mean * size, (1 - mean) * size


def _inside(table: NDArray[np.int64], alpha: float, beta: float, limits: tuple[float, float]) -> NDArray[np.float64]:
    """Posterior probability of each row's true rate to lie within `limits`, shape (rows,)."""
    import numpy as np
    from scipy.special import betainc

    a, b = table[:, 0] + alpha, table[:, 1] - table[:, 0] + beta
    return np.asarray(np.clip(betainc(a, b, limits[1]) - betainc(a, b, limits[0]), 0, 1), dtype=np.float64)


def _draws(
    table: NDArray[np.int64], weights: NDArray[np.int64], limits: tuple[float, float], seed: int
) -> NDArray[np.float64]:
    """Draws of the share, shape (_RESAMPLES,)."""
    import numpy as np

    generator = np.random.default_rng(seed)
    tasks = int(weights.sum())
    shares = np.empty(_RESAMPLES)
    for index, resampled in enumerate(generator.multinomial(tasks, weights / tasks, size=_RESAMPLES)):
        fit = _fit(table[resampled > 0], resampled[resampled > 0])
        inside = generator.binomial(weights, _inside(table, *fit, limits)).sum()
        shares[index] = generator.beta(inside + 0.5, tasks - inside + 0.5)
    return shares
