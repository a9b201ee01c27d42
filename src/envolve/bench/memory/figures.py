"""What the builds of all seeds come to. Rates are over builds, with Wilson's interval; differences between arms are
means over seeds of the seed's own difference, with a t interval, since the builds of one seed hang together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, stdev
from typing import NamedTuple

from envolve.bench.figures import Figure, rate_figure

from .settings import ARMS, Arm, Build

_Counted = Callable[[Build], bool]


class RoundRate(NamedTuple):
    """Repeats of one arm in one round, over all seeds."""

    arm: Arm
    round: int
    drafts: int
    written: int
    admitted: int
    escaped: int


def round_rates(builds: Sequence[Build]) -> list[RoundRate]:
    """In the order of arms and rounds."""
    rounds = sorted({build.round for build in builds})
    return [_round(arm, number, builds) for arm in ARMS for number in rounds]


def memory_figures(builds: Sequence[Build]) -> list[Figure]:
    """Over the second and later rounds: in the first nothing can be repeated."""
    later = [build for build in builds if build.round > 1]
    shown = [figure for arm in ARMS for figure in _rates(arm, [build for build in later if build.arm == arm])]
    return [*shown, *_warned(later), *_differences(later), *_false_alarms(builds)]


def _rates(arm: Arm, builds: Sequence[Build]) -> Iterable[Figure]:
    admitted = [build for build in builds if build.admitted]
    name = {"without": "without memory", "probes": "probes only", "with": "with memory"}[arm]
    yield rate_figure(
        f"written repeats, {name}", sum(build.written_repeat for build in builds), len(builds), better="lower"
    )
    yield rate_figure(
        f"escaped repeats, {name}", sum(build.escaped_repeat for build in admitted), len(admitted), better="lower"
    )


def _warned(builds: Sequence[Build]) -> Iterable[Figure]:
    """Of the arm in which the coder is told."""
    about = [build for build in builds if build.arm == "with" and build.repeat and build.prone]
    yield rate_figure(
        "repeats about to be written that the coder was warned of", sum(b.warned for b in about), len(about)
    )


def _differences(builds: Sequence[Build]) -> Iterable[Figure]:
    yield _paired("written repeats, with minus without", builds, "with", _all, lambda build: build.written_repeat)
    yield _paired("escaped repeats, probes only minus without", builds, "probes", _kept, _escaped)
    yield _paired("escaped repeats, with minus without", builds, "with", _kept, _escaped)


def _false_alarms(builds: Sequence[Build]) -> Iterable[Figure]:
    sound = [build for build in builds if not build.written]
    found = sum(build.false_alarms > 0 for build in sound)
    yield rate_figure("drafts without a fault in which something was found", found, len(sound), better="lower")


def _paired(name: str, builds: Sequence[Build], arm: Arm, among: _Counted, counted: _Counted) -> Figure:
    """The arm's rate less that without memory, seed by seed; seeds in which an arm admitted nothing say nothing."""
    seeds = sorted({build.seed for build in builds})
    rates = [[_rate(builds, seed, which, among, counted) for which in (arm, ARMS[0])] for seed in seeds]
    changes = [one - other for one, other in rates if one is not None and other is not None]
    value = mean(changes) if changes else math.nan
    return Figure(name, value, "rate", len(changes), _t_interval(changes), None, "lower")


def _rate(builds: Sequence[Build], seed: int, arm: Arm, among: _Counted, counted: _Counted) -> float | None:
    own = [build for build in builds if (build.seed, build.arm) == (seed, arm) and among(build)]
    return sum(map(counted, own)) / len(own) if own else None


def _t_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """95% of the mean; None of fewer than two values, and where all are equal: that says nothing of their spread."""
    if len(values) < 2 or stdev(values) == 0:
        return None
    from scipy.special import stdtrit

    half = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / math.sqrt(len(values))
    return mean(values) - half, mean(values) + half


def _all(_: Build) -> bool:
    return True


def _kept(build: Build) -> bool:
    return build.admitted


def _escaped(build: Build) -> bool:
    return build.escaped_repeat


def _round(arm: Arm, number: int, builds: Sequence[Build]) -> RoundRate:
    own = [build for build in builds if (build.arm, build.round) == (arm, number)]
    return RoundRate(
        arm=arm,
        round=number,
        drafts=len(own),
        written=sum(build.written_repeat for build in own),
        admitted=sum(build.admitted for build in own),
        escaped=sum(build.escaped_repeat for build in own),
    )
