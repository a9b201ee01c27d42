"""The wanted interval of pass rates."""

from __future__ import annotations

from pydantic import model_validator

from ..environments.errors import InputError
from ..environments.models import Frozen

MIN_WIDTH = 0.2
"""Narrowest band that lies strictly inside (0, 1): narrower ones take hundreds of rollouts a task."""

_ROUNDING = 1e-9


class Band(Frozen):
    """A closed interval of pass rates, `0 <= low < high <= 1`."""

    low: float
    high: float

    @model_validator(mode="after")
    def _usable(self) -> Band:
        if not 0 <= self.low < self.high <= 1:
            raise InputError(
                f"Band {self.low:g}:{self.high:g} is not an interval of pass rates.",
                remedy="Give LOW:HIGH with 0 <= LOW < HIGH <= 1, for example 0.2:0.6.",
            )
        if self.low > 0 and self.high < 1 and self.high - self.low < MIN_WIDTH - _ROUNDING:
            raise InputError(
                f"Band {self.low:g}:{self.high:g} is narrower than {MIN_WIDTH:g}.",
                remedy=f"Widen it to at least {MIN_WIDTH:g}, or let it start at 0 or end at 1.",
            )
        return self

    @classmethod
    def parse(cls, text: str) -> Band:
        """A band from `LOW:HIGH`. Raises InputError."""
        parts = text.split(":")
        try:
            low, high = (float(part) for part in parts)
        except ValueError as error:
            raise InputError(
                f"Band {text!r} is not of the form LOW:HIGH.", remedy="Write it like 0.2:0.6."
            ) from error
        return cls(low=low, high=high)

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def __contains__(self, rate: float) -> bool:
        return self.low <= rate <= self.high

    def __str__(self) -> str:
        return f"{self.low:g}:{self.high:g}"
