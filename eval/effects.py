"""How much harder is a child task than its parent? Difference of two pass rates, with interval."""

from __future__ import annotations

from typing import NamedTuple

from .intervals import Interval, wilson


class Difference(NamedTuple):
    """Child's pass rate minus parent's, Newcombe's interval, and the posterior probability that it is below 0."""

    difference: float
    interval: Interval
    probability_harder: float


def difference(
    parent_passes: int, parent_n: int, child_passes: int, child_n: int, confidence: float = 0.95
) -> Difference:
    """Both counts need at least one rollout."""
    parent, child = parent_passes / parent_n, child_passes / child_n
    of_parent = wilson(parent_passes, parent_n, confidence)
    of_child = wilson(child_passes, child_n, confidence)
    below = ((child - of_child.low) ** 2 + (of_parent.high - parent) ** 2) ** 0.5
    above = ((of_child.high - child) ** 2 + (parent - of_parent.low) ** 2) ** 0.5
    interval = Interval(max(-1.0, child - parent - below), min(1.0, child - parent + above))
    return Difference(child - parent, interval, probability_below(child_passes, child_n, parent_passes, parent_n))


def probability_below(passes: int, n: int, other_passes: int, other_n: int) -> float:
    """Posterior probability that the first rate is below the second; Beta(1, 1) priors. Exact.

    The first is below x when at least passes + 1 of n + 1 uniform draws are: a binomial tail, averaged over the
    second's posterior (beta-binomial).
    """
    import numpy as np
    from scipy.special import betaln, gammaln

    draws = n + 1
    a, b = other_passes + 1, other_n - other_passes + 1
    k = np.arange(passes + 1, draws + 1)
    log = gammaln(draws + 1) - gammaln(k + 1) - gammaln(draws - k + 1) + betaln(k + a, draws - k + b) - betaln(a, b)
    return float(min(1.0, np.exp(log).sum()))
