"""Rows of a world for a prompt: a few of each table, spread over it, and how values are distributed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...environments.models import Task
from ...environments.package import Environment
from ...environments.schema import ColumnInfo, TableInfo
from ...environments.states.rows import quoted
from ...environments.verification import StateReader
from .clipping import clipped, lines_within, value_text

_MOST_CHARACTERS = 40_000
_LONGEST_VALUE = 60
_MOST_KINDS = 8
"""Distinct values that a column of kinds has at most."""
_MOMENTS = "____-__-__%"


def rows_text(
    environment: Environment,
    tables: Collection[str] | None = None,
    most: int = 12,
    *,
    more: Mapping[str, int] | None = None,
    task: Task | None = None,
) -> str:
    """Of each table (None: all) how many rows there are, counts of the values of columns with few of them, the span
    of dates, and at most `most` rows, spread evenly (`more`: table → another number). The seed state, or that of
    `task`."""
    wanted = [info for name, info in environment.tables().items() if tables is None or name in tables]
    with StateReader(environment, environment.image_for(task)) as reader:
        shown = (_table(reader, info, (more or {}).get(info.name, most)) for info in wanted if not info.view)
        lines = [line for table in shown for line in table]
    return lines_within(lines, _MOST_CHARACTERS)


def _table(reader: StateReader, info: TableInfo, most: int) -> Iterator[str]:
    table = f"before.{quoted(info.name)}"
    total = int(reader.value(f"SELECT count(*) FROM {table}"))
    yield f"{info.name}: {total} rows"
    for column in info.columns:
        if not column.key and column.references is None and total:
            yield from _spread(reader, table, column, total)
    if total and most > 0:
        columns, keys = (", ".join(map(quoted, names)) for names in (info.stored, info.primary_key))
        step = max(1, -(-total // most))
        numbered = f"SELECT {columns}, row_number() OVER (ORDER BY {keys}) - 1 AS at_ FROM {table}"
        rows = reader.query(f"SELECT {columns} FROM ({numbered}) WHERE at_ % {step} = 0 ORDER BY at_")
        yield "  " + " | ".join(info.stored)
        yield from ("  " + " | ".join(_shown(value) for value in row) for row in rows[:most])


def _spread(reader: StateReader, table: str, column: ColumnInfo, total: int) -> Iterator[str]:
    name = quoted(column.name)
    sql = f"SELECT {name}, count(*) FROM {table} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {_MOST_KINDS + 1}"
    counts = reader.query(sql)
    if 1 < len(counts) <= min(_MOST_KINDS, total // 2):
        yield f"  {column.name}: " + ", ".join(f"{_shown(value)} ({count})" for value, count in counts)
    elif column.type.upper() == "TEXT":
        others = f"SELECT count(*) FROM {table} WHERE {name} NOT LIKE '{_MOMENTS}'"
        if reader.value(f"SELECT count({name}) FROM {table}") and not reader.value(others):
            first, last = reader.query(f"SELECT min({name}), max({name}) FROM {table}")[0]
            yield f"  {column.name}: {_shown(first)} to {_shown(last)}"


def _shown(value: object) -> str:
    if value is None:
        return "NULL"
    return clipped(value, _LONGEST_VALUE).replace("\n", " ") if isinstance(value, str) else value_text(value)
