"""Taking the rows of a query without letting them fill the memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from .sql_text import SqlProblem
from .values import SQLiteValue

_MOST_READ = 4_000_000
"""Characters that the rows of one query hold, each value counting as `_CELL` at least."""
_CELL = 8


def fetched(rows: Iterable[tuple[SQLiteValue, ...]], *, most: int | None = None) -> list[tuple[SQLiteValue, ...]]:
    """The rows, or the first `most` of them. Raises SqlProblem for more than any check has use for."""
    found: list[tuple[SQLiteValue, ...]] = []
    left = _MOST_READ
    for row in islice(rows, most):
        for value in row:
            left -= max(_CELL, len(value)) if isinstance(value, str | bytes) else _CELL
        if left < 0:
            raise SqlProblem("returns too much")
        found.append(row)
    return found
