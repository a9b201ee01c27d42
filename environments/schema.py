"""The tables of a world, as the built database has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import apsw

from .sql_lexemes import QUOTED_NAME


@dataclass(frozen=True)
class ColumnInfo:
    """A column. `key` is its place in the primary key from 1, 0 if it is not part of it; `references` is
    `table.column`; `generated` columns are computed and never written."""

    name: str
    type: str
    notnull: bool
    key: int = 0
    default: str | None = None
    references: str | None = None
    generated: bool = False


@dataclass(frozen=True)
class Reference:
    """A foreign key: `columns` of this table point at `to_columns` of `table`."""

    columns: tuple[str, ...]
    table: str
    to_columns: tuple[str, ...]
    on_delete: str = "NO ACTION"


@dataclass(frozen=True)
class TableInfo:
    """A table (or view: then without key) and the sets of columns that are unique in it, its key among them.
    `unique_where`: those that are unique among the rows for which a condition holds."""

    name: str
    columns: tuple[ColumnInfo, ...]
    references: tuple[Reference, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    sql: str = ""
    view: bool = False
    unique_where: tuple[tuple[tuple[str, ...], str], ...] = ()

    @cached_property
    def primary_key(self) -> tuple[str, ...]:
        keyed = sorted((column for column in self.columns if column.key), key=lambda column: column.key)
        return tuple(column.name for column in keyed)

    @cached_property
    def number(self) -> str | None:
        """The key column that merely numbers rows: a single integer key that is not itself a reference."""
        if len(self.primary_key) != 1:
            return None
        (name,) = self.primary_key
        refers = any(name in reference.columns for reference in self.references)
        return name if self.by_name[name].type.upper() in ("INTEGER", "INT") and not refers else None

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The columns that rows hold, in order (generated ones left out), as changesets list them."""
        return tuple(column.name for column in self.columns if not column.generated)

    @cached_property
    def by_name(self) -> Mapping[str, ColumnInfo]:
        return MappingProxyType({column.name: column for column in self.columns})


def in_key_order(table: TableInfo) -> bool:
    """Whether rows surely lie in the order of their key, whatever came and went: tables with equal rows are equal."""
    (key,) = table.primary_key if len(table.primary_key) == 1 else (None,)
    return key is not None and table.by_name[key].type.upper() == "INTEGER"


def read_tables(connection: apsw.Connection) -> Mapping[str, TableInfo]:
    """Tables and views of the main schema by name, in name order. Needs a connection without authorizer."""
    found = connection.execute(
        "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%'"
        " ESCAPE '\\' ORDER BY name"
    ).fetchall()
    tables = (_table(connection, str(name), str(kind), str(sql)) for name, kind, sql in found)
    return MappingProxyType({table.name: table for table in tables})


def _table(connection: apsw.Connection, name: str, kind: str, sql: str) -> TableInfo:
    references = _references(connection, name)
    targets = {
        reference.columns[0]: f"{reference.table}.{reference.to_columns[0]}"
        for reference in references
        if len(reference.columns) == 1
    }
    columns = tuple(
        ColumnInfo(
            name=column,
            type=type_,
            notnull=bool(notnull),
            key=key,
            default=default,
            references=targets.get(column),
            generated=hidden != 0,
        )
        for column, type_, notnull, default, key, hidden in connection.execute(
            'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid', (name,)
        )
    )
    info = TableInfo(name, columns, references, sql=sql, view=kind == "view")
    unique = [info.primary_key] if info.primary_key else []
    indexes = _unique_indexes(connection, name)
    unique += [found for found, condition in indexes if not condition and found not in unique]
    partial = tuple((found, condition) for found, condition in indexes if condition)
    return TableInfo(name, columns, references, tuple(unique), sql, kind == "view", partial)


def _references(connection: apsw.Connection, table: str) -> tuple[Reference, ...]:
    found: dict[int, list[tuple[str, str, str | None, str]]] = {}
    for number, target, source, column, on_delete in connection.execute(
        'SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq', (table,)
    ):
        found.setdefault(number, []).append((target, source, column, on_delete))
    return tuple(_reference(connection, parts) for _, parts in sorted(found.items()))


def _reference(connection: apsw.Connection, parts: list[tuple[str, str, str | None, str]]) -> Reference:
    target, _, column, on_delete = parts[0]
    if column is None:
        rows = connection.execute("SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk", (target,))
        to_columns = tuple(str(name) for (name,) in rows)
    else:
        to_columns = tuple(str(to) for _, _, to, _ in parts)
    return Reference(tuple(source for _, source, _, _ in parts), target, to_columns, on_delete)


def _after_columns(sql: str) -> str:
    """The condition of a partial index. Its columns are names, whose brackets and words may stand in quotes."""
    rest = re.sub(QUOTED_NAME, lambda name: "x" * len(name[0]), sql)
    where = re.compile(r"\)\s*where\b", re.IGNORECASE).search(rest)
    return sql[where.end() :].strip() if where else ""


def _unique_indexes(connection: apsw.Connection, table: str) -> list[tuple[tuple[str, ...], str]]:
    """Columns of unique indexes, with the condition of partial ones (else empty)."""
    indexes = connection.execute(
        "SELECT i.name, i.partial, s.sql FROM pragma_index_list(?) i LEFT JOIN sqlite_master s ON s.name = i.name"
        ' WHERE i."unique" = 1 ORDER BY i.name',
        (table,),
    ).fetchall()
    found = []
    for index, partial, sql in indexes:
        names = [
            name for (name,) in connection.execute("SELECT name FROM pragma_index_info(?) ORDER BY seqno", (index,))
        ]
        if None not in names:
            condition = _after_columns(str(sql)) if partial else ""
            found.append((tuple(names), condition))
    return found
