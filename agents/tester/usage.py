"""Which tables and columns the tools read or write, and what else has need of those that no tool touches.

Reads and writes are those that SQLite reports: views, triggers and foreign key actions are seen through.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from .anatomy import Anatomy
from .trees import ColumnPlace, assignments, parse, place_of


class Usage(NamedTuple):
    """Columns of the tables proper: `touched` by some tool; not touched, but `needed` by an invariant, a role, or the
    schema's own ties (keys, logs, clocks, codes); `unused` are the rest."""

    touched: frozenset[ColumnPlace]
    needed: frozenset[ColumnPlace]
    unused: tuple[ColumnPlace, ...]

    def tables_unused(self, anatomy: Anatomy) -> tuple[str, ...]:
        """Tables of which no tool touches any column, and that nothing needs."""
        alive = {place.table for place in self.touched} | {
            place.table for place in self.needed if not anatomy.tables[place.table].by_name[place.column].key
        }
        alive |= _logs(anatomy) | {role.table for role in anatomy.spec.roles.values()}
        return tuple(table.name for table in anatomy.stored_tables if table.name not in alive)


def usage_of(anatomy: Anatomy) -> Usage:
    touched, needed = _touched(anatomy), frozenset((*_by_rules(anatomy), *_by_schema(anatomy)))
    every = [ColumnPlace(table.name, column.name) for table in anatomy.stored_tables for column in table.columns]
    return Usage(touched, needed - touched, tuple(place for place in every if place not in touched | needed))


def tables_of(anatomy: Anatomy, tool: str) -> frozenset[str]:
    """The tables that a tool reads or writes."""
    statements = anatomy.environment.plans[tool].statements
    read = {table for statement in statements for table, _ in statement.reads}
    return frozenset(read | {write.table for statement in statements for write in statement.writes})


def _touched(anatomy: Anatomy) -> frozenset[ColumnPlace]:
    listed = {
        ColumnPlace(each.table, each.column) for query in anatomy.all_queries() for each in assignments(query.tree)
    }
    for plan in anatomy.environment.plans.values():
        for statement in plan.statements:
            listed.update(ColumnPlace(table, column) for table, column in statement.reads if column)
            for write in statement.writes:
                if write.column is not None:
                    listed.add(ColumnPlace(write.table, write.column))
    return frozenset(listed)


def _by_rules(anatomy: Anatomy) -> set[ColumnPlace]:
    """Columns that invariants, the glossary and roles speak of."""
    spec = anatomy.spec
    texts = [invariant.sql for invariant in spec.invariants]
    texts += [f"SELECT 1 FROM {role.table} WHERE {role.where}" for role in spec.roles.values() if role.where]
    trees = [tree for text in texts if (tree := parse(text)) is not None]
    columns = [column for tree in trees for column in tree.find_all(exp.Column)]
    return {place for column in columns if (place := place_of(column, anatomy.tables)) is not None}


def _by_schema(anatomy: Anatomy) -> set[ColumnPlace]:
    """Keys, references, what is unique, and the columns of classes that states are not compared by."""
    clock, logs = {*anatomy.spec.columns.clock, *anatomy.spec.columns.code}, _logs(anatomy)
    found = set()
    for table in anatomy.stored_tables:
        tied = {*table.primary_key, *(name for columns in table.unique for name in columns)}
        tied |= {name for reference in table.references for name in reference.columns}
        for column in table.columns:
            classed = f"{table.name}.{column.name}" in clock or f"*.{column.name}" in clock
            if column.name in tied or classed or table.name in logs or column.generated:
                found.add(ColumnPlace(table.name, column.name))
    return found


def _logs(anatomy: Anatomy) -> frozenset[str]:
    return frozenset(anatomy.spec.columns.log)
