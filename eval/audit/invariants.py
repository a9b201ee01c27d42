"""Which invariants an edit can break: those that read what it touched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...environments.connections import connected
from ...environments.functions import add_functions
from ...environments.keeping import kept_beside
from ...environments.kit import Kit
from ...environments.models import RowChange
from ...environments.schema import TableInfo
from ...environments.sql_text import words
from ...environments.statements import StatementChecker

Reads = Mapping[str, frozenset[str] | None]
"""Table → the columns that are read of it; None: all of them."""

_UNTOLD = frozenset({"using", "natural"})
"""Joins by columns that SQLite does not report as read."""


def may_break(reads: Reads, edited: Iterable[RowChange]) -> bool:
    """Whether what was edited is read: some column that was changed, anything of a table that has other rows."""
    for change in edited:
        if change.table not in reads:
            continue
        columns = reads[change.table]
        if columns is None or change.op != "update" or not columns.isdisjoint(change.new):
            return True
    return False


@kept_beside
def invariant_reads(kit: Kit) -> Mapping[str, Reads]:
    """Each invariant's SQL, and what it reads."""
    tables = kit.built.tables
    with connected(kit.built.image) as connection:
        add_functions(connection)
        checker = StatementChecker(connection, tables)
        return {
            invariant.sql: _reads(invariant.sql, checker.query(invariant.sql, ("now", "today")).reads, tables)
            for invariant in kit.spec.invariants
        }


def _reads(sql: str, found: Collection[tuple[str, str]], tables: Mapping[str, TableInfo]) -> Reads:
    """The tables are those that the text names: SQLite reports no table of which no column is read. All of them if it
    names a view, or quotes."""
    said = {word for word, _ in words(sql)}
    named = said & set(tables)
    if any(mark in sql for mark in '"`[') or any(tables[name].view for name in named):
        return dict.fromkeys(tables)
    if said & _UNTOLD:
        return dict.fromkeys(named)
    return {name: _columns(tables[name], found) for name in named}


def _columns(table: TableInfo, found: Collection[tuple[str, str]]) -> frozenset[str] | None:
    """All of them where a computed one is read."""
    columns = frozenset(column for name, column in found if name == table.name)
    computed = {column.name for column in table.columns if column.generated}
    return None if columns & computed else columns
