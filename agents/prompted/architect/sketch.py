"""Worlds that are only partly written yet, built to see whether what there is holds together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ....environments.connections import connected
from ....environments.errors import PackageError
from ....environments.functions import add_functions
from ....environments.models import EnvironmentSpec, Returns, Tool, ToolsFile
from ....environments.package import Environment
from ....environments.sql_text import SqlProblem
from ....environments.statements import StatementChecker
from ....environments.verification import StateReader
from ..clipping import clipped, one_line, value_text

MOST_PROBLEMS = 15
_LONGEST = 400
_SHOWN_ROWS = 3
_STAND_IN = Tool(name="stand_in", description="", kind="read", returns=Returns(value="SELECT 1"))


class Named(NamedTuple):
    """A statement, and what to call it when it fails."""

    name: str
    sql: str


class Script(NamedTuple):
    """Statements as one text, and the name of the one that a line belongs to."""

    text: str
    starts: tuple[int, ...]
    names: tuple[str, ...]

    def at(self, line: int) -> int:
        """Index of the statement that holds a line, counted from 1."""
        return max(index for index, start in enumerate(self.starts) if start <= line)


def ended(sql: str) -> str:
    """The statement with one semicolon, which no comment swallows."""
    bare = sql.strip().rstrip(";").rstrip()
    return f"{bare}\n;" if "--" in bare.rpartition("\n")[2] else f"{bare};"


def script(statements: Sequence[Named]) -> Script:
    starts, parts, line = [], [], 1
    for statement in statements:
        part = ended(statement.sql)
        starts.append(line)
        parts.append(part)
        line += part.count("\n") + 1
    return Script("\n".join(parts), tuple(starts), tuple(statement.name for statement in statements))


def built(
    spec: EnvironmentSpec, schema_sql: str, *, seed_sql: str = "", tools: Iterable[Tool] = ()
) -> Environment | PackageError:
    """The package, with a stand-in where there is no tool yet, or what is wrong with it."""
    file = ToolsFile(tools=tuple(tools) or (_STAND_IN,))
    try:
        return Environment.build(spec=spec, schema_sql=schema_sql, seed_sql=seed_sql, tools=file)
    except PackageError as error:
        return error


def told(error: PackageError) -> list[str]:
    """Every problem of an error, bounded."""
    return bounded([str(problem) for problem in error.problems])


def bounded(problems: Sequence[str]) -> list[str]:
    shown = [clipped(one_line(problem), _LONGEST) for problem in problems[:MOST_PROBLEMS]]
    more = len(problems) - len(shown)
    return [*shown, f"… and {more} more problems of this kind."] if more else shown


def broken_invariants(environment: Environment, names: Iterable[str] | None = None) -> list[str]:
    """Invariants (those named, or all) for which the seed state has rows, with the first of them."""
    wanted = None if names is None else set(names)
    found = []
    with StateReader(environment, environment.image) as reader:
        for rule in environment.spec.invariants:
            if wanted is None or rule.name in wanted:
                found += _broken(reader, rule.name, rule.sql)
    return found


def _broken(reader: StateReader, name: str, sql: str) -> list[str]:
    try:
        rows = reader.records(sql)
    except SqlProblem as problem:
        return [f"invariant {name!r}: {problem}"]
    shown = "; ".join(value_text(row, 160) for row in rows[:_SHOWN_ROWS])
    return [f"invariant {name!r} is broken by {len(rows)} rows, among them {shown}"] if rows else []


def tables_read(environment: Environment, queries: Iterable[str]) -> list[set[str]]:
    """The tables that each query of an environment that builds reads."""
    with connected(environment.image) as connection:
        add_functions(connection)
        checker = StatementChecker(connection, environment.tables())
        return [{table for table, _ in checker.query(sql, ("now", "today")).reads} for sql in queries]
