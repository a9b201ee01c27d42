"""Which stored column a column of a result shows, where that is certain."""

from __future__ import annotations

from collections.abc import Mapping

from ..plans import Result
from ..schema import TableInfo
from ..sql_text import words
from ..statements import Statement

Origin = tuple[str, str]
_COMPOUND = frozenset({"union", "intersect", "except"})


def origins(result: Result, tables: Mapping[str, TableInfo]) -> tuple[Origin | None, ...]:
    """The table and column of each column of a tool's result, whatever its order."""
    found = [certain_origins(statement, tables) for statement in result.pages.values()]
    return tuple(cells[0] if len(set(cells)) == 1 else None for cells in zip(*found, strict=True))


def certain_origins(statement: Statement, tables: Mapping[str, TableInfo]) -> tuple[Origin | None, ...]:
    """The table and column of each column, as SQLite resolves names; None for what is computed, and for all where a
    compound SELECT is near, of which SQLite sees one arm only."""
    text = statement.sql.lower()
    views = [table.sql for name, table in tables.items() if table.view and name in text]
    compound = any(word in _COMPOUND for sql in (text, *views) for word, _ in words(sql))
    return (None,) * len(statement.columns) if compound else statement.origins


def target(origin: Origin | None, tables: Mapping[str, TableInfo]) -> str | None:
    """The table whose rows the values of a column name: its own for the number of its rows, that which it references
    for a reference to such a number; None if it names none."""
    if origin is None or origin[0] not in tables:
        return None
    table = tables[origin[0]]
    if table.number == origin[1]:
        return table.name
    column = table.by_name.get(origin[1])
    if column is None or column.references is None:
        return None
    name, _, key = column.references.partition(".")
    return name if name in tables and tables[name].number == key else None
