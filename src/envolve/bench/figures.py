"""Measured figures and how they print."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from envolve.eval.intervals import wilson


class Figure(NamedTuple):
    """One measured figure. `interval`: 95% of the median by order statistics, of a rate by Wilson's score, or the
    spread of repeats."""

    name: str
    value: float
    unit: str
    n: int
    interval: tuple[float, float] | None = None
    goal: float | None = None
    better: Literal["lower", "higher"] = "lower"

    @property
    def met(self) -> bool | None:
        """None without a goal, and where nothing was measured."""
        if self.goal is None or math.isnan(self.value):
            return None
        return self.value <= self.goal if self.better == "lower" else self.value >= self.goal


def median_figure(name: str, values: Sequence[float], unit: str, *, goal: float | None = None) -> Figure:
    """The median of `values` with its 95% interval by order statistics (binomial, normal approximation)."""
    ordered = sorted(values)
    n = len(ordered)
    reach = 1.96 * math.sqrt(n) / 2
    low, high = max(0, math.floor(n / 2 - reach)), min(n - 1, math.ceil(n / 2 + reach))
    return Figure(name, ordered[n // 2], unit, n, (ordered[low], ordered[high]), goal)


def rate_figure(
    name: str, count: int, n: int, *, goal: float | None = None, better: Literal["lower", "higher"] = "higher"
) -> Figure:
    """`count` of `n` as a rate with Wilson's 95% interval; NaN of nothing."""
    return Figure(name, count / n if n else math.nan, "rate", n, wilson(count, n), goal, better)


def count_figure(name: str, count: int, n: int, *, goal: float | None = None) -> Figure:
    """How many of `n`; the goal is a most."""
    return Figure(name, count, f"of {n}", n, None, goal)


def table(figures: Iterable[Figure]) -> str:
    """The figures as lines of text."""
    return "\n".join(_line(figure) for figure in figures)


def _line(figure: Figure) -> str:
    spread = f"[{figure.interval[0]:.4g}, {figure.interval[1]:.4g}]" if figure.interval else ""
    sign = "≤" if figure.better == "lower" else "≥"
    goal = "" if figure.goal is None else f"{sign} {figure.goal:g}"
    met = {None: "", True: "met", False: "missed"}[figure.met]
    return f"{figure.name:<58} {figure.value:>10.4g} {figure.unit:<9} {spread:<20} n={figure.n:<7} {goal:<9} {met}"


def machine() -> str:
    """Processor and Python, for the record."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    processor = f"{len(names)} × {names[0]}" if names else platform.processor() or platform.machine()
    return f"{processor}, Python {platform.python_version()}"
