"""Is a task's pass rate in the band? Rollouts are taken in batches until the posterior says so.

Beta(1, 1) prior. After each batch: accept when P(rate in band) is high, reject when it is low. The cap is the
fewest rollouts with which a task in the middle of the band is accepted often enough. All probabilities are exact,
by dynamic programming over (rollouts, passes).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..environments.errors import InputError
from .bands import Band
from .intervals import binomial

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Decision = Literal["accept", "too_easy", "too_hard", "undecided"]

BATCH = 6
ACCEPT_AT = 0.9
REJECT_AT = 0.1
POWER = 0.8
"""Probability with which a task in the middle of the band is accepted by the cap."""
MOST_ROLLOUTS = 3000
"""No band that needs more rollouts a task is measured."""


class OperatingPoint(NamedTuple):
    """What the test does to a task of true pass rate `rate`: chance of each decision, rollouts it takes."""

    rate: float
    accept: float
    too_easy: float
    too_hard: float
    undecided: float
    expected_rollouts: float


@dataclass(frozen=True)
class SequentialTest:
    """The test for one band. Make it with `for_band`."""

    band: Band
    cap: int

    @classmethod
    def for_band(cls, band: Band) -> SequentialTest:
        """Raises InputError where no number of rollouts would do."""
        return cls(band, _cap(band))

    def decide(self, passes: int, n: int) -> Decision | None:
        """The decision after `n` rollouts, a multiple of the batch; None to go on."""
        if n <= 0 or n % BATCH:
            raise ValueError(f"decisions are made after whole batches of {BATCH}, not after {n}")
        regions = _regions(self.band, n)
        for decision in ("accept", "too_easy", "too_hard"):
            if getattr(regions, decision)[passes]:
                return decision
        return "undecided" if n >= self.cap else None

    def operating_point(self, rate: float) -> OperatingPoint:
        """Exact behaviour at true pass rate `rate`."""
        expected, stage = 0.0, _Stage(0, 0.0, 0.0, 0.0, 1.0)
        for following in _stages(self.band, rate):
            expected += BATCH * stage.going
            stage = following
            if stage.n >= self.cap:
                break
        return OperatingPoint(rate, stage.accept, stage.too_easy, stage.too_hard, stage.going, expected)

    def table(self, steps: int = 20) -> list[OperatingPoint]:
        """Operating points at `steps` + 1 rates from 0 to 1, for people to read."""
        return [self.operating_point(step / steps) for step in range(steps + 1)]

    def expected_rollouts(self, grid: int = 101) -> float:
        """Mean number of rollouts over tasks whose pass rates are spread evenly over 0..1."""
        points = [self.operating_point((step + 0.5) / grid) for step in range(grid)]
        return sum(point.expected_rollouts for point in points) / grid


def fixed_design_accepts(band: Band, n: int, rate: float) -> float:
    """Chance that `n` rollouts of a task of true pass rate `rate` show a share of passes within `band`."""
    return float(sum(chance for passes, chance in enumerate(binomial(n, rate)) if passes / n in band))


class _Regions(NamedTuple):
    """Which numbers of passes end the test after n rollouts; arrays of n + 1 booleans."""

    accept: NDArray[np.bool_]
    too_easy: NDArray[np.bool_]
    too_hard: NDArray[np.bool_]


class _Stage(NamedTuple):
    """Probabilities after n rollouts: decided so far, and still going."""

    n: int
    accept: float
    too_easy: float
    too_hard: float
    going: float


@lru_cache(maxsize=1024)
def _regions(band: Band, n: int) -> _Regions:
    import numpy as np
    from scipy.special import betainc

    passes = np.arange(n + 1)
    below = betainc(passes + 1, n - passes + 1, band.low)
    above = 1 - betainc(passes + 1, n - passes + 1, band.high)
    inside = 1 - below - above
    rejected = inside <= REJECT_AT
    return _Regions(inside >= ACCEPT_AT, rejected & (above > below), rejected & (above <= below))


def _stages(band: Band, rate: float) -> Iterator[_Stage]:
    """The test without its cap, batch after batch, at true pass rate `rate`."""
    import numpy as np

    batch = binomial(BATCH, rate)
    going = np.ones(1)
    accept = too_easy = too_hard = 0.0
    for n in range(BATCH, MOST_ROLLOUTS + 1, BATCH):
        going = np.convolve(going, batch)
        regions = _regions(band, n)
        accept += float(going[regions.accept].sum())
        too_easy += float(going[regions.too_easy].sum())
        too_hard += float(going[regions.too_hard].sum())
        going[regions.accept | regions.too_easy | regions.too_hard] = 0
        yield _Stage(n, accept, too_easy, too_hard, float(going.sum()))


@lru_cache(maxsize=64)
def _cap(band: Band) -> int:
    for stage in _stages(band, band.middle):
        if stage.accept >= POWER:
            return stage.n
        if stage.accept + stage.going < POWER:
            break
    raise InputError(
        f"No number of rollouts up to {MOST_ROLLOUTS} tells that a task is in band {band}.",
        remedy="Widen the band.",
    )
