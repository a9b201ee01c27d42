"""Load: schema and seed as they must be, beyond what the loader refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.models import Finding
from ....environments.schema import ColumnInfo, TableInfo
from ..actors import actors_by_role
from ..anatomy import Anatomy
from ..base import GateContext, static_finding
from ..columns import is_money, is_status, moment_format
from ..fuzzing.moments import form_of

NAME = "load"
_SHOWN = 3


class Load:
    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        anatomy = context.anatomy
        found = [*_roles_without_actors(anatomy), *_guessable(anatomy)]
        for table in anatomy.stored_tables:
            found += _keys(anatomy, table)
            for column in table.columns:
                found += _column(anatomy, table, column)
        return found


def _roles_without_actors(anatomy: Anatomy) -> Iterator[Finding]:
    for role, actors in actors_by_role(anatomy, 1).items():
        if not actors:
            message = f"No row of {anatomy.spec.roles[role].table} can act as {role}."
            yield static_finding(NAME, "role_without_actor", "major", f"environment.roles.{role}", message)


def _keys(anatomy: Anatomy, table: TableInfo) -> Iterator[Finding]:
    for name in table.primary_key:
        rows = anatomy.seed_rows(f'SELECT count(*) FROM "{table.name}" WHERE "{name}" IS NULL')
        if rows[0][0]:
            message = f"{rows[0][0]} rows of {table.name} have no {name}."
            yield static_finding(NAME, "null_key", "blocker", f"seed.{table.name}.{name}", message)


def _guessable(anatomy: Anatomy) -> Iterator[Finding]:
    """Tables whose ids count from one: a solver that guesses 1, 2, 3 needs no look-up."""
    tables = [table.name for table in anatomy.stored_tables if _counts_from_one(anatomy, table)]
    if tables:
        message = f"The ids of {', '.join(tables)} count from 1: they can be guessed."
        yield static_finding(NAME, "guessable_ids", "minor", "seed", message, tables=tables)


def _counts_from_one(anatomy: Anatomy, table: TableInfo) -> bool:
    if len(table.primary_key) != 1 or table.by_name[table.primary_key[0]].type.upper() != "INTEGER":
        return False
    key = table.primary_key[0]
    low, high, count = anatomy.seed_rows(f'SELECT min("{key}"), max("{key}"), count(*) FROM "{table.name}"')[0]
    return bool(count > 3 and low in (0, 1) and high - low == count - 1)


def _column(anatomy: Anatomy, table: TableInfo, column: ColumnInfo) -> Iterator[Finding]:
    place = f"schema.{table.name}.{column.name}"
    if is_money(column.name) and column.type.upper() == "REAL":
        message = f"{table.name}.{column.name} holds money as REAL: use integer minor units."
        yield static_finding(NAME, "money_in_float", "major", place, message)
    if is_status(column.name) and column.type.upper() == "TEXT" and not _checked(table, column.name):
        message = f"{table.name}.{column.name} has no CHECK that lists its values."
        yield static_finding(NAME, "status_without_check", "major", place, message)
    if column.name.endswith("_id") and column.references is None and column.key == 0:
        target = _named(anatomy, column.name.removesuffix("_id"))
        if target is not None and not any(column.name in reference.columns for reference in table.references):
            message = f"{table.name}.{column.name} is no FOREIGN KEY, though there is a table {target}."
            yield static_finding(NAME, "missing_foreign_key", "major", place, message)
    yield from _moments(anatomy, table, column)


def _checked(table: TableInfo, column: str) -> bool:
    return re.search(rf"CHECK\s*\([^)]*\b{column}\b", table.sql, re.IGNORECASE | re.DOTALL) is not None


def _named(anatomy: Anatomy, noun: str) -> str | None:
    """The table whose rows a column `<noun>_id` would point at, by its name."""
    names = (noun, f"{noun}s", f"{noun}es", f"{noun.removesuffix('y')}ies")
    return next((name for name in names if name in anatomy.tables and not anatomy.tables[name].view), None)


def _moments(anatomy: Anatomy, table: TableInfo, column: ColumnInfo) -> Iterator[Finding]:
    wanted = moment_format(table.name, column, anatomy.spec.columns.clock)
    if wanted is None:
        return
    sql = f'SELECT DISTINCT "{column.name}" FROM "{table.name}" WHERE "{column.name}" IS NOT NULL ORDER BY 1'
    wrong = [row[0] for row in anatomy.seed_rows(sql) if form_of(row[0]) not in wanted]
    if wrong:
        message = f"{table.name}.{column.name} holds {wrong[0]!r}, which is no {' or '.join(wanted)}."
        yield static_finding(
            NAME, "moment_format", "major", f"seed.{table.name}.{column.name}", message, values=wrong[:_SHOWN]
        )
