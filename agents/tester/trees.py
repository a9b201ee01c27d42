"""SQL as trees (sqlglot, SQLite's dialect): parsing, and which table a column belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from ...environments.schema import TableInfo

Tables = Mapping[str, TableInfo]


class ColumnPlace(NamedTuple):
    """A column of a table of the schema."""

    table: str
    column: str


class Source(NamedTuple):
    """What stands in a FROM, or is written to: `alias` names it, `table` is the schema's table or None (a subquery,
    json_each, a common table expression)."""

    alias: str
    table: str | None
    node: exp.Expr


@lru_cache(maxsize=1024)  # those of several environments, of a large one all; twelve kilobytes each
def parse(sql: str) -> exp.Expr | None:
    """The tree of one statement, shared: callers never change it. None if sqlglot cannot read it."""
    try:
        return sqlglot.parse_one(sql, dialect="sqlite")
    except sqlglot.errors.SqlglotError:
        return None


def render(tree: exp.Expr) -> str:
    """Canonical SQL of a tree."""
    return tree.sql(dialect="sqlite")


def text_of(tree: exp.Expr) -> str:
    """Canonical SQL in lower case and without qualifying tables: for comparing conditions across statements."""
    copied = tree.copy()
    for column in copied.find_all(exp.Column):
        column.set("table", None)
    return render(copied).lower()


def sources(node: exp.Expr, tables: Tables) -> tuple[Source, ...]:
    """What a SELECT reads from, in order, or the table that an UPDATE, DELETE or INSERT writes to (with its FROM)."""
    found = []
    for part in _parts(node):
        named = part.this.this if isinstance(part.this, exp.Schema) else part.this
        if isinstance(part, exp.Schema):
            part, named = part.this, part.this.this
        table = part.name.lower() if isinstance(part, exp.Table) and isinstance(named, exp.Identifier) else None
        known = table if table in tables else None
        found.append(Source((part.alias_or_name or "").lower(), known, part))
    return tuple(found)


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.Update | exp.Delete | exp.Insert) and node.this is not None:
        yield node.this
    from_ = node.args.get("from_")
    if from_ is not None:
        yield from_.this
    for join in node.args.get("joins") or ():
        yield join.this


_SCOPES = (exp.Select, exp.Update, exp.Delete, exp.Insert)


def scopes_around(node: exp.Expr) -> Iterator[exp.Expr]:
    """The statements around a node, the nearest first."""
    around = node.find_ancestor(*_SCOPES)
    while around is not None:
        yield around
        around = around.find_ancestor(*_SCOPES)


def place_of(column: exp.Expr | None, tables: Tables) -> ColumnPlace | None:
    """The schema's column that a column node names; None for computed ones."""
    if not isinstance(column, exp.Column):
        return None
    name, qualifier = column.name.lower(), column.table.lower()
    for scope in scopes_around(column):
        for source in sources(scope, tables):
            if qualifier and qualifier != source.alias:
                continue
            if source.table is not None and name in tables[source.table].by_name:
                return ColumnPlace(source.table, name)
            if source.table is None and (qualifier or _gives(source.node, name)):
                return None
    return None


def _gives(node: exp.Expr, name: str) -> bool:
    """Whether a subquery or table function has a column of this name."""
    if isinstance(node, exp.Subquery):
        return name in {column.lower() for column in node.this.named_selects}
    return name in {"key", "value", "type", "atom", "fullkey", "path"}


def unwrapped(node: exp.Expr) -> exp.Expr:
    """The node without brackets and casts around it."""
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    return node


def conjuncts(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """The conditions that AND joins, brackets removed."""
    if node is None:
        return
    node = node.this if isinstance(node, exp.Where | exp.Having) else node
    plain = unwrapped(node)
    if isinstance(plain, exp.And):
        yield from conjuncts(plain.this)
        yield from conjuncts(plain.expression)
    else:
        yield plain


class Assignment(NamedTuple):
    """A column that a statement writes, and the value's tree."""

    table: str
    column: str
    value: exp.Expr


def assignments(tree: exp.Expr | None) -> Iterator[Assignment]:
    """The columns that an UPDATE, INSERT or upsert gives values to."""
    if isinstance(tree, exp.Update):
        yield from _set(tree.this.name.lower(), tree.expressions)
    elif isinstance(tree, exp.Insert):
        yield from _inserted(tree)


def _set(table: str, parts: list[exp.Expr]) -> Iterator[Assignment]:
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column):
            yield Assignment(table, part.this.name.lower(), part.expression)


def _inserted(tree: exp.Insert) -> Iterator[Assignment]:
    if not isinstance(tree.this, exp.Schema):
        return
    table = tree.this.this.name.lower()
    columns = [column.name.lower() for column in tree.this.expressions]
    for row in _rows(tree.expression):
        yield from (Assignment(table, name, value) for name, value in zip(columns, row, strict=False))
    conflict = tree.args.get("conflict")
    if conflict is not None:
        yield from _set(table, conflict.expressions)


def _rows(source: exp.Expr | None) -> Iterator[list[exp.Expr]]:
    if isinstance(source, exp.Values):
        yield from (row.expressions for row in source.expressions)
    elif isinstance(source, exp.Select):
        yield source.expressions
