"""What a solver has seen: values from results by field name, to fill arguments with."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any


class Seen:
    """Values by field name, in the order seen, each once."""

    def __init__(self) -> None:
        self._values: dict[str, dict[Any, None]] = {}

    def add(self, result: Any) -> None:
        """Takes in every scalar field of a result."""
        for name, value in _fields(result):
            self._values.setdefault(name, {})[value] = None

    def values(self, name: str) -> list[Any]:
        """Values seen under a field of that name; for `booking_id` also those of fields called `id`."""
        found = dict(self._values.get(name, {}))
        if name.endswith("_id"):
            found |= self._values.get("id", {})
        return list(found)

    def other(self, name: str, value: Any, rng: Random) -> Any:
        """A sibling of `value`: another one seen under that name, of the same type; None if there is none."""
        others = [other for other in self.values(name) if other != value and type(other) is type(value)]
        return rng.choice(others) if others else None

    def beside(self, value: Any, rng: Random) -> Any:
        """Another value of whatever field holds `value`; None if there is none."""
        for values in self._values.values():
            if value in values:
                others = [other for other in values if other != value and type(other) is type(value)]
                if others:
                    return rng.choice(others)
        return None


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, str | int | float) and not isinstance(item, bool):
                yield name, item
            else:
                yield from _fields(item)
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item)
