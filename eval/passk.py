"""pass@k (one of k tries passes) and pass^k (all of k pass), unbiased from n rollouts with c passes."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from ..environments.errors import InputError


def pass_at_k(n: int, passes: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of `k` rollouts passes."""
    _check(n, passes, k)
    return 1 - comb(n - passes, k) / comb(n, k)


def pass_hat_k(n: int, passes: int, k: int) -> float:
    """Unbiased estimate of the chance that all of `k` rollouts pass."""
    _check(n, passes, k)
    return comb(passes, k) / comb(n, k)


def mean_pass_at_k(counts: Iterable[tuple[int, int]], k: int) -> float:
    """Mean over tasks of pass@k; `counts` holds (n, passes) of each task."""
    return _mean([pass_at_k(n, passes, k) for n, passes in counts])


def mean_pass_hat_k(counts: Iterable[tuple[int, int]], k: int) -> float:
    """Mean over tasks of pass^k; `counts` holds (n, passes) of each task."""
    return _mean([pass_hat_k(n, passes, k) for n, passes in counts])


def _mean(values: list[float]) -> float:
    if not values:
        raise InputError("No task has rollouts.", remedy="Measure at least one task first.")
    return sum(values) / len(values)


def _check(n: int, passes: int, k: int) -> None:
    if not 0 <= passes <= n:
        raise InputError(f"{passes} passes of {n} rollouts is impossible.")
    if not 1 <= k <= n:
        raise InputError(f"k = {k} needs between 1 and {n} rollouts.", remedy="Take a smaller k, or more rollouts.")
