"""Fresh confirmation: a fixed number of new rollouts, judged by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ..environments.errors import InputError
from .bands import Band
from .intervals import binomial, probability_in_band
from .sequential import MOST_ROLLOUTS, POWER

LEAST_ROLLOUTS = 16
CONFIRM_AT = 0.5


@dataclass(frozen=True)
class ConfirmationTest:
    """The confirmation for one band: `size` rollouts. Make it with `for_band`."""

    band: Band
    size: int

    @classmethod
    def for_band(cls, band: Band) -> ConfirmationTest:
        """The smallest size from 16 with which a task in the middle of the band is confirmed with
        probability 0.8. Raises InputError where there is none."""
        return cls(band, _size(band))

    def confirms(self, passes: int) -> bool:
        return probability_in_band(self.band, passes, self.size) >= CONFIRM_AT

    def probability(self, rate: float) -> float:
        """Chance that a task of true pass rate `rate` is confirmed."""
        return _probability(self.band, self.size, rate)


def _probability(band: Band, size: int, rate: float) -> float:
    chances = binomial(size, rate)
    return float(sum(chances[k] for k in range(size + 1) if probability_in_band(band, k, size) >= CONFIRM_AT))


@lru_cache(maxsize=64)
def _size(band: Band) -> int:
    for size in range(LEAST_ROLLOUTS, MOST_ROLLOUTS + 1):
        if _probability(band, size, band.middle) >= POWER:
            return size
    raise InputError(f"No number of rollouts up to {MOST_ROLLOUTS} confirms band {band}.", remedy="Widen the band.")
