"""Rows of a seed by table and key: read from drafts or a world, changed, and written as SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ....environments.package import Environment
from ....environments.schema import TableInfo
from ....environments.states.rows import quoted
from ....environments.verification import StateReader
from ..architect.sketch import Named

Row = dict[str, Any]
Rows = dict[str, dict[tuple[Any, ...], Row]]
"""Table → key → row."""


def rows_of(environment: Environment) -> Rows:
    """All rows of the seed state."""
    found: Rows = {}
    with StateReader(environment, environment.image) as reader:
        for name, table in environment.tables().items():
            if not table.view:
                columns, keys = (", ".join(map(quoted, part)) for part in (table.stored, table.primary_key))
                records = reader.records(f"SELECT {columns} FROM before.{quoted(name)} ORDER BY {keys}")
                found[name] = {tuple(row[column] for column in table.primary_key): row for row in records}
    return found


def plain(value: Any) -> Any:
    """A value as SQLite stores it: lists and objects become JSON, truth becomes 0 or 1."""
    if isinstance(value, bool):
        return int(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return f"X'{value.hex()}'" if isinstance(value, bytes) else repr(value)


def statements(table: str, rows: Iterable[Row]) -> list[Named]:
    """One INSERT a row, named `table row N`, counted from 1."""
    return [Named(f"{table} row {number}", _insert(table, (row,))) for number, row in enumerate(rows, 1)]


def seed_sql(rows: Rows) -> str:
    """One INSERT for rows that follow each other and give the same columns."""
    parts = []
    for table, own in rows.items():
        for _, alike in groupby(own.values(), key=tuple):
            parts.append(_insert(table, tuple(alike)) + ";\n")
    return "\n".join(parts)


def _insert(table: str, rows: tuple[Row, ...]) -> str:
    columns = ", ".join(map(quoted, rows[0]))
    values = ",\n  ".join("(" + ", ".join(literal(value) for value in row.values()) + ")" for row in rows)
    return f"INSERT INTO {quoted(table)} ({columns}) VALUES\n  {values}"


def dangling(rows: Rows, tables: Mapping[str, TableInfo], names: Iterable[str]) -> Iterator[str]:
    """References of the rows of the named tables that point at no row."""
    for name in names:
        for reference in tables[name].references:
            there = {
                tuple(row.get(column) for column in reference.to_columns)
                for row in rows.get(reference.table, {}).values()
            }
            for key, row in rows.get(name, {}).items():
                value = tuple(row.get(column) for column in reference.columns)
                if None not in value and value not in there:
                    yield (
                        f"{name} {_shown(key)}: {', '.join(reference.columns)} = {_shown(value)}, but no row of "
                        f"{reference.table} has that {', '.join(reference.to_columns)}{_some(there)}."
                    )


def _shown(values: tuple[Any, ...]) -> str:
    return ", ".join(map(str, values))


def _some(there: set[tuple[Any, ...]]) -> str:
    shown = [_shown(value) for value in sorted(there, key=str)[:8]]
    return f" (it has {'; '.join(shown)}{', …' if len(there) > len(shown) else ''})" if shown else " (it has no rows)"
