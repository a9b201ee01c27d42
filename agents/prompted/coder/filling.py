"""The rows that are there already, as a prompt for the next ones shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ....environments.schema import TableInfo
from ..clipping import clipped, lines_within, value_text
from .rows import Rows

_MOST_CHARACTERS = 24_000
_LONGEST_VALUE = 48
_OTHERS = 8
"""Rows of a table that the next ones do not refer to."""


def filled_text(rows: Rows, tables: Mapping[str, TableInfo], batch: Collection[str]) -> str:
    """All rows of the tables that those of `batch` refer to, directly or not; a few of the others."""
    near = _reached(tables, batch)
    ordered = sorted(rows, key=lambda name: name not in near)
    lines = (line for name in ordered for line in _table(rows, name, whole=name in near))
    return lines_within(lines, _MOST_CHARACTERS)


def _reached(tables: Mapping[str, TableInfo], batch: Collection[str]) -> set[str]:
    found, left = set[str](), set(batch)
    while left:
        targets = {reference.table for name in left for reference in tables[name].references}
        left = targets - found
        found |= left
    return found


def _table(rows: Rows, name: str, *, whole: bool) -> Iterator[str]:
    own = list(rows[name].values())
    shown = own if whole else own[:_OTHERS]
    yield f"{name} ({len(own)} rows{'' if len(shown) == len(own) else f', the first {len(shown)}'})"
    columns: tuple[str, ...] = ()
    for row in shown:
        if tuple(row) != columns:
            columns = tuple(row)
            yield "  " + " | ".join(columns)
        yield "  " + " | ".join(_value(value) for value in row.values())


def _value(value: object) -> str:
    if value is None:
        return "NULL"
    return clipped(value, _LONGEST_VALUE).replace("\n", " ") if isinstance(value, str) else value_text(value)
