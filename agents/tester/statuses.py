"""Statuses: the values that a CHECK lists, and those that rows have, or can be brought to by some tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from .anatomy import Anatomy
from .columns import checked_values, is_status
from .queries import Query
from .trees import ColumnPlace, assignments


class Status(NamedTuple):
    """A value that a status column may have."""

    table: str
    column: str
    value: str

    @property
    def place(self) -> str:
        return f"schema.{self.table}.{self.column}.{self.value}"


def statuses_of(anatomy: Anatomy) -> tuple[Status, ...]:
    """Every value that a CHECK lists for a status column, in order."""
    return tuple(
        Status(table.name, column.name, value)
        for table in anatomy.stored_tables
        for column in table.columns
        if is_status(column.name)
        for value in checked_values(table, column.name)
    )


def reachable(anatomy: Anatomy) -> frozenset[Status]:
    """Statuses of the seed, and those that a tool, a default or a trigger may set. Where a tool sets what a caller
    gives, any value that the parameter admits."""
    written = dict[ColumnPlace, set[str] | None]()
    for place, values in _written(anatomy):
        known = written.setdefault(place, set())
        written[place] = None if known is None or values is None else known | values
    return frozenset(
        status for status in statuses_of(anatomy) if _set(status, written) or _elsewhere(anatomy, status)
    )


def values_set(anatomy: Anatomy, place: ColumnPlace) -> frozenset[str] | None:
    """The values that tools may give a status column; None if any value, or if none could be told."""
    found = [values for written, values in _written(anatomy) if written == place]
    known = [values for values in found if values is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def _set(status: Status, written: dict[ColumnPlace, set[str] | None]) -> bool:
    values = written.get(ColumnPlace(status.table, status.column), set())
    return values is None or status.value in values


def _elsewhere(anatomy: Anatomy, status: Status) -> bool:
    table, column, value = status
    default = anatomy.tables[table].by_name[column].default
    triggers = anatomy.environment.schema_sql.lower().count("create trigger")
    held = anatomy.seed_rows(f'SELECT EXISTS (SELECT 1 FROM "{table}" WHERE "{column}" = :value)', value=value)
    return bool(held[0][0]) or default == f"'{value}'" or bool(triggers)


def _written(anatomy: Anatomy) -> Iterator[tuple[ColumnPlace, set[str] | None]]:
    """What assignments to columns may give; None for anything at all."""
    for query in anatomy.all_queries():
        for found in assignments(query.tree) if query.kind == "do" else ():
            if is_status(found.column):
                yield ColumnPlace(found.table, found.column), _values(anatomy, query, found.value)


def _values(anatomy: Anatomy, query: Query, value: exp.Expr) -> set[str] | None:
    nodes, found = [value], set[str]()
    while nodes:
        node = nodes.pop()
        found.update(str(each.this) for each in node.find_all(exp.Literal) if each.is_string)
        for bound in node.find_all(exp.Placeholder):
            behind = anatomy.names[query.tool].expression(bound.name)
            given = anatomy.tools[query.tool].params.get(bound.name)
            if behind is not None:
                nodes.append(behind)
            elif given is None or given.enum is None:
                return None
            else:
                found.update(map(str, given.enum))
        if any(column.find_ancestor(exp.Select) is not None for column in node.find_all(exp.Column)):
            return None
    return found
