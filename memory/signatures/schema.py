"""The schema as a graph: tables, columns, checks, unique sets and references; names do not take part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import networkx as nx

from ...environments.schema import TableInfo
from ...environments.sql_text import words
from .base import bag, neighbourhoods, weighted

_DEPTH = 3
Check: TypeAlias = tuple[str, tuple[str, ...]]
"""The shape of a CHECK's expression, and the columns that it mentions."""


class SchemaShape:
    """`features` is the schema part of a signature; `roles` tells tables apart by their place among the others,
    for the parts that speak of tables: coarse, so that a column more or less changes only the schema part."""

    def __init__(self, tables: Mapping[str, TableInfo]) -> None:
        checks = {name: list(_checks(info)) for name, info in tables.items()}
        found = neighbourhoods(_graph(tables, checks), _DEPTH)
        self.features = weighted((hash_, 1.0) for hashes in found.values() for hash_ in hashes)
        self.roles = {name: _role(info, checks[name]) for name, info in tables.items()}


def _role(info: TableInfo, checks: list[Check]) -> str:
    """Whether it refers to none, one or more, and whether a column has a list of values (a status, a kind)."""
    lists = sum("In*" in shape for shape, _ in checks)
    return f"{min(len(info.references), 2)} {lists > 0}"


def _graph(tables: Mapping[str, TableInfo], checks: Mapping[str, list[Check]]) -> nx.Graph[str]:
    graph: nx.Graph[str] = nx.Graph()
    for name, info in tables.items():
        graph.add_node(_table(name), label="view" if info.view else "table")
        for column in info.columns:
            marks = (column.notnull, column.key, column.default is not None, column.generated)
            graph.add_node(_column(name, column.name), label=f"column {column.type} {marks}")
            graph.add_edge(_table(name), _column(name, column.name), label="has")
    for name, info in tables.items():
        _add_sets(graph, name, info, checks[name])
    return graph


def _add_sets(graph: nx.Graph[str], name: str, info: TableInfo, checks: list[Check]) -> None:
    """Nodes for what binds columns together: references, unique sets, checks."""
    for place, reference in enumerate(info.references):
        node = f"reference {name} {place}"
        graph.add_node(node, label=f"reference {reference.on_delete}")
        graph.add_edge(node, _table(reference.table), label="to")
        _link(graph, node, name, reference.columns)
    for place, columns in enumerate(info.unique):
        if columns != info.primary_key:
            graph.add_node(f"unique {name} {place}", label="unique")
            _link(graph, f"unique {name} {place}", name, columns)
    for place, (shape, mentioned) in enumerate(checks):
        graph.add_node(f"check {name} {place}", label=shape)
        _link(graph, f"check {name} {place}", name, mentioned)


def _link(graph: nx.Graph[str], node: str, table: str, columns: tuple[str, ...]) -> None:
    for column in columns:
        if graph.has_node(_column(table, column)):
            graph.add_edge(node, _column(table, column), label="of")


def _checks(info: TableInfo) -> Iterator[Check]:
    """Each CHECK as the bag of its expression's parts (no names, no literals) and the columns it mentions."""
    if info.view or "check" not in info.sql.lower():
        return
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(info.sql, dialect="sqlite")
    except SqlglotError:  # what SQLite alone understands is counted, and told no further apart
        yield from (("check", ()) for word, _ in words(info.sql) if word == "check")
        return
    for check in tree.find_all(exp.CheckColumnConstraint):
        columns = {column.name.lower() for column in check.find_all(exp.Column)}
        yield f"check {bag(type(node).__name__ for node in check.this.walk())}", tuple(sorted(columns))


def _table(name: str) -> str:
    return f"table {name}"


def _column(table: str, name: str) -> str:
    return f"column {table} {name.lower()}"
