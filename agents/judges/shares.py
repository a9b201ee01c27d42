"""Counts as rates with their intervals."""

from __future__ import annotations

from ...environments.models import Frozen
from ...eval.intervals import Interval, wilson


class Share(Frozen):
    """`count` of `n`, with Wilson's 95% interval. Without cases `rate` is None and the interval (0, 1)."""

    count: int
    n: int
    rate: float | None
    interval: Interval


def share(count: int, n: int) -> Share:
    return Share(count=count, n=n, rate=count / n if n else None, interval=wilson(count, n))
