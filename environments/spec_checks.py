"""environment.yaml against the schema: every name in it must exist, every query must prepare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial

from .errors import PackageError
from .models import EnvironmentSpec, Role
from .schema import TableInfo
from .sql_text import SqlProblem, check_text
from .statements import StatementChecker

SPEC_FILE = "environment.yaml"
_LAST_YEAR = 9998
"""A world's clock moves on from its start, and dates end with the year 9999."""


def role_query(role: Role, table: TableInfo) -> str:
    """A query that returns a row if the row with key `:actor_id` holds the role."""
    condition = f" AND ({role.where}\n)" if role.where else ""
    return f'SELECT 1 FROM "{role.table}" WHERE "{role.table}"."{table.primary_key[0]}" = :actor_id{condition}'


def check_clock(spec: EnvironmentSpec) -> None:
    """Raise PackageError unless the clock starts at a moment that there is, with time ahead of it."""
    try:
        moment = datetime.fromisoformat(spec.clock)
    except ValueError as error:
        problem = str(error)
    else:
        problem = "" if moment.year <= _LAST_YEAR else f"the world's time would end after the year {_LAST_YEAR}"
    if problem:
        raise PackageError(
            f"{spec.clock!r} is no moment that a world can start at: {problem}", file=SPEC_FILE, field="clock"
        )


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
        yield from _caught(f"glossary.{word}", partial(_check_condition, sql, tables, checker))


def _check_condition(sql: str, tables: Mapping[str, TableInfo], checker: StatementChecker) -> None:
    """Raise SqlProblem unless the rows of some table can meet the condition of a word."""
    check_text(sql)
    problems: list[SqlProblem] = []
    for name in tables:
        try:
            checker.query(f'SELECT 1 FROM "{name}" WHERE (\n{sql}\n)', ("now", "today", "actor_id"), columns=1)
        except SqlProblem as problem:
            problems.append(problem)
        else:
            return
    if not all("no such column" in problem.message for problem in problems):
        # A condition that is wrong by itself is so for every table; a column that is missing is for most.
        raise next(problem for problem in problems if "no such column" not in problem.message)
    raise SqlProblem(
        "no table has all columns of the condition", remedy="Write a condition on the columns of one table."
    )


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
