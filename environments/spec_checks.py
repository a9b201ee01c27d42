"""environment.yaml against the schema: every name in it must exist, every query must prepare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from .errors import PackageError
from .models import EnvironmentSpec, Role
from .schema import TableInfo
from .sql_text import SqlProblem, check_text
from .statements import StatementChecker

SPEC_FILE = "environment.yaml"


def role_query(role: Role, table: TableInfo) -> str:
    """A query that returns a row if the row with key `:actor_id` holds the role."""
    condition = f" AND ({role.where}\n)" if role.where else ""
    return f'SELECT 1 FROM "{role.table}" WHERE "{role.table}"."{table.primary_key[0]}" = :actor_id{condition}'


def spec_problems(
    spec: EnvironmentSpec, tables: Mapping[str, TableInfo], checker: StatementChecker
) -> Iterator[PackageError]:
    """All problems of environment.yaml."""
    for name, role in spec.roles.items():
        yield from _role_problems(f"roles.{name}", role, tables, checker)
    yield from _column_problems(spec, tables)
    for index, invariant in enumerate(spec.invariants):
        field = f"invariants.{index}.sql"
        yield from _caught(field, partial(checker.query, invariant.sql, ("now", "today")))
    for word, sql in spec.glossary.items():
        yield from _caught(f"glossary.{word}", partial(check_text, sql))


def _caught(field: str, check: Callable[[], object]) -> Iterator[PackageError]:
    try:
        check()
    except SqlProblem as problem:
        yield PackageError(problem.message, file=SPEC_FILE, field=field, remedy=problem.remedy)


def _role_problems(
    field: str, role: Role, tables: Mapping[str, TableInfo], checker: StatementChecker
) -> Iterator[PackageError]:
    table = tables.get(role.table)
    if table is None or table.view:
        yield _unknown(f"{field}.table", f"there is no table {role.table!r}", tables)
    elif len(table.primary_key) != 1:
        yield PackageError(
            f"{role.table} has a key of several columns",
            file=SPEC_FILE,
            field=f"{field}.table",
            remedy="Actors are named by one number: give the table a key of one column.",
        )
    else:
        sql = role_query(role, table)
        yield from _caught(f"{field}.where", partial(checker.query, sql, ("actor_id", "now", "today")))


def _column_problems(spec: EnvironmentSpec, tables: Mapping[str, TableInfo]) -> Iterator[PackageError]:
    classes = spec.columns
    for kind, names in (("clock", classes.clock), ("code", classes.code), ("order", tuple(classes.order))):
        for name in names:
            problem = _column_problem(name, tables, any_table=kind != "order")
            if problem:
                yield _unknown(f"columns.{kind}", problem, tables)
    for name in classes.log:
        if name not in tables:
            yield _unknown("columns.log", f"there is no table {name!r}", tables)
    for name, group in classes.order.items():
        table = tables.get(name.split(".")[0])
        if table and group not in table.by_name:
            yield PackageError(
                f"{table.name} has no column {group!r} to group by", file=SPEC_FILE, field=f"columns.order.{name}"
            )


def _column_problem(name: str, tables: Mapping[str, TableInfo], *, any_table: bool) -> str | None:
    table, dot, column = name.partition(".")
    if not dot:
        return f"{name!r} is not table.column"
    if table == "*" and any_table:
        return (
            None if any(column in info.by_name for info in tables.values()) else f"no table has a column {column!r}"
        )
    if table not in tables:
        return f"there is no table {table!r}"
    return None if column in tables[table].by_name else f"{table} has no column {column!r}"


def _unknown(field: str, message: str, tables: Mapping[str, TableInfo]) -> PackageError:
    listed = ", ".join(name for name, table in tables.items() if not table.view)
    return PackageError(message, file=SPEC_FILE, field=field, remedy=f"Tables: {listed}.")
