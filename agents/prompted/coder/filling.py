"""The rows that are there already, as a prompt for the next ones shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ....environments.schema import ColumnInfo, TableInfo
from ..clipping import clipped, lines_within, value_text
from .rows import Row, Rows

_MOST_WHOLE = 20_000
"""Characters of tables that are shown with all columns; those that come after show the columns that matter."""
_MOST_CHARACTERS = 32_000
_LONGEST_VALUE = 48
_OTHERS = 8
"""Rows of a table that the next ones have nothing to do with."""
_KINDS = 8
"""Distinct values that a column of states or kinds has at most."""
_MOMENTS = ("_at", "_on", "_date", "_time")


def filled_text(rows: Rows, tables: Mapping[str, TableInfo], batch: Collection[str]) -> str:
    """All rows of the tables that those of `batch` must agree with: those they refer to, directly or not, and those
    that refer to the same ones. A few of the others."""
    near = [name for name in _near(tables, batch) if name in rows]
    shown: list[str] = []
    left = _MOST_WHOLE
    for name in near:
        own = list(rows[name].values())
        whole = list(_table(name, own))
        size = sum(len(line) + 1 for line in whole)
        shown += whole if size <= left else _table(name, _narrowed(own, tables[name]))
        left -= min(size, left)
    for name in rows:
        if name not in near:
            shown += _table(name, list(rows[name].values()), most=_OTHERS)
    return lines_within(shown, _MOST_CHARACTERS)


def _near(tables: Mapping[str, TableInfo], batch: Collection[str]) -> list[str]:
    """Tables by how near they are: referred to first, those of the same parents last."""
    found: dict[str, None] = {}
    left, parents = list(batch), set[str]()
    while left:
        targets = dict.fromkeys(reference.table for name in left for reference in tables[name].references)
        parents = parents or set(targets)
        left = [name for name in targets if name not in found]
        found |= dict.fromkeys(left)
    alike = (name for name, table in tables.items() if parents & {each.table for each in table.references})
    return list(found | dict.fromkeys(alike))


def _table(name: str, own: Sequence[Row], most: int | None = None) -> Iterator[str]:
    shown = own[:most]
    yield f"{name} ({len(own)} rows{'' if len(shown) == len(own) else f', the first {len(shown)}'})"
    columns: tuple[str, ...] = ()
    for row in shown:
        if tuple(row) != columns:
            columns = tuple(row)
            yield "  " + " | ".join(columns)
        yield "  " + " | ".join(_value(value) for value in row.values())


def _narrowed(own: Sequence[Row], table: TableInfo) -> list[Row]:
    """Keys, references, states, dates and sums: what other rows must agree with."""
    kept = {column.name for column in table.columns if _matters(column, own)}
    kept |= {name for reference in table.references for name in reference.columns}
    return [{name: value for name, value in row.items() if name in kept} for row in own]


def _matters(column: ColumnInfo, own: Sequence[Row]) -> bool:
    if column.key or column.type.upper() != "TEXT" or column.name.endswith(_MOMENTS):
        return True
    values = {row.get(column.name) for row in own}
    return len(values) <= min(_KINDS, len(own) // 2)


def _value(value: object) -> str:
    if value is None:
        return "NULL"
    return clipped(value, _LONGEST_VALUE).replace("\n", " ") if isinstance(value, str) else value_text(value)
