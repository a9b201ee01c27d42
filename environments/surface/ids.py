"""Ids as texts that name their table: `BKG-00318` for row 318 of bookings."""

from __future__ import annotations

import re
from typing import Any, Final

_DIGITS: Final = 5


class Prefix:
    """How the ids of one table are written. Anything but a number from 0 is left as it is."""

    __slots__ = ("_fits", "pattern", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pattern = f"^{text}-([0-9]{{{_DIGITS}}}|[1-9][0-9]{{{_DIGITS},17}})$"
        self._fits = re.compile(self.pattern)

    def written(self, value: Any) -> Any:
        return f"{self.text}-{value:0{_DIGITS}}" if type(value) is int and value >= 0 else value

    def number(self, value: Any) -> Any:
        """The id that a text names; anything else as it is, but a bare number, which is no id here: then its text."""
        if isinstance(value, str) and self._fits.fullmatch(value):
            return int(value[len(self.text) + 1 :])
        return value
