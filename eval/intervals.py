"""Intervals and exact distributions for counts of passes."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from ..environments.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .bands import Band


class Interval(NamedTuple):
    low: float
    high: float


def wilson(passes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a pass rate. Without rollouts it is (0, 1)."""
    _check(passes, n)
    if n == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, weight = passes / n, z * z / n
    centre = (rate + weight / 2) / (1 + weight)
    half = z * ((rate * (1 - rate) + weight / 4) / n) ** 0.5 / (1 + weight)
    return Interval(0.0 if passes == 0 else max(0.0, centre - half), 1.0 if passes == n else min(1.0, centre + half))


def beta_interval(passes: float, n: float, confidence: float = 0.95) -> Interval:
    """Equal-tailed credible interval of a pass rate under the Beta(1, 1) prior. Counts may be fractional."""
    from scipy.special import betaincinv

    _check(passes, n)
    tail = (1 - confidence) / 2
    a, b = passes + 1, n - passes + 1
    return Interval(float(betaincinv(a, b, tail)), float(betaincinv(a, b, 1 - tail)))


def probability_in_band(band: Band, passes: int, n: int) -> float:
    """Posterior probability, from a Beta(1, 1) prior, that the pass rate lies in `band`."""
    from scipy.special import betainc

    _check(passes, n)
    a, b = passes + 1, n - passes + 1
    return float(betainc(a, b, band.high) - betainc(a, b, band.low))


def binomial(n: int, rate: float) -> NDArray[np.float64]:
    """Probabilities of 0..n passes in `n` rollouts, shape (n + 1,)."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, rate) + xlog1py(n - k, -rate)
    return np.asarray(np.exp(log), dtype=np.float64)


def binomial_tail(k: int, n: int, rate: float) -> float:
    """P(at least `k` of `n`) at this rate."""
    return float(binomial(n, rate)[k:].sum())


def _check(passes: float, n: float) -> None:
    if not 0 <= passes <= n:
        raise InputError(f"{passes} passes of {n} rollouts is impossible.")
