"""What a cell of SQLite holds, and what a JSON value is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SQLiteValue = None | int | float | str | bytes


def leaves(value: Any) -> Iterator[Any]:
    """The scalars anywhere in a JSON value, nulls aside."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif value is not None:
        yield value
