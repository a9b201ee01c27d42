"""From schema.sql and seed.sql to the image that worlds start from, checked on the way."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import apsw

from .canonical import sha256
from .changes import check_texts
from .clock import WorldClock
from .connections import StepBudget, connected
from .errors import EnvolveError, PackageError
from .functions import add_functions
from .guard import FUNCTIONS, TABLE_FUNCTIONS
from .limits import Limits
from .schema import TableInfo, read_tables
from .sql_text import Placed, SqlProblem, check_text, check_time, split, without_comments

SCHEMA_FILE, SEED_FILE = "schema.sql", "seed.sql"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_SEED_STEPS = 40
"""Seeding may take this many times the steps of a tool call."""
_LONGEST_STATEMENT = 4_000_000
_MOST_SCHEMA_STATEMENTS = 2_000
_MOST_SEED_STATEMENTS = 500_000
_MOST_TRIGGERS = 200
_MOST_EXPANDED = 100
"""Views and tables that a view stands for, once the views in it are replaced by what they stand for."""
_WORD = re.compile(r"\w+")

_ROW_WRITES = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
_DDL = frozenset(
    {
        apsw.SQLITE_CREATE_TABLE,
        apsw.SQLITE_CREATE_INDEX,
        apsw.SQLITE_CREATE_TRIGGER,
        apsw.SQLITE_CREATE_VIEW,
        apsw.SQLITE_REINDEX,
        apsw.SQLITE_SELECT,
        apsw.SQLITE_READ,
        *_ROW_WRITES,
    }
)
_SEEDING = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE})


@dataclass(frozen=True)
class Built:
    """A built seed state: the database image, its tables and views, the text of every schema object, and a hash of
    the rows that does not depend on how SQLite lays them out."""

    image: bytes
    tables: Mapping[str, TableInfo]
    objects: tuple[tuple[str, str, str], ...]
    """(type, name, SQL), sorted."""
    seed: str


@lru_cache(maxsize=4)
def build_world(schema_sql: str, seed_sql: str, clock: str) -> Built:
    """Build the seed state. Seed rows are inserted before the triggers exist, so the seed is what it says.

    The latest are remembered, for environments that differ in their tools alone. Raises PackageError that names
    the file and the line.
    """
    limits = Limits()
    budget = StepBudget(limits)
    with connected(limits=limits, budget=budget) as connection:
        connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_STATEMENT)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        add_functions(connection)
        WorldClock(clock).enter()
        schema = _schema_statements(schema_sql)
        budget.start(_SEED_STEPS)
        _run(connection, [s for s in schema if not s.trigger], SCHEMA_FILE, _allow_ddl)
        connection.limit(apsw.SQLITE_LIMIT_VDBE_OP, _LONGEST_STATEMENT)
        _seed(connection, seed_sql)
        _run(connection, [s for s in schema if s.trigger], SCHEMA_FILE, _allow_ddl)
        budget.start(_SEED_STEPS)
        with _explained(connection, _Place(SCHEMA_FILE), None):
            tables = read_tables(connection)
            _check_tables(connection, tables)
            _check_references(connection, tables)
            rows = _rows(connection, tables)
        return Built(connection.serialize("main"), tables, _objects(connection), sha256(rows))


def add_rows(
    image: bytes, statements: tuple[str, ...], clock: str, tables: Mapping[str, TableInfo], file: str
) -> bytes:
    """The image after a task's setup: INSERT, UPDATE and DELETE statements, foreign keys checked at the end.

    Raises PackageError for `file`, naming the statement.
    """
    with connected(image) as connection:
        connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_STATEMENT)
        add_functions(connection)
        WorldClock(clock).enter()
        session = apsw.Session(connection, "main")
        session.attach()
        connection.execute("BEGIN")
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for index, sql in enumerate(statements):
            with _explained(connection, _Place(file, f"setup.{index}"), partial(_allow_setup, tables)):
                check_text(sql)
                connection.execute(sql)
        with _explained(connection, _Place(file, "setup"), None):
            connection.execute("COMMIT")
            check_texts(session.changeset())
        session.close()
        return connection.serialize("main")


def _schema_statements(sql: str) -> list[Placed]:
    statements = _split(sql, SCHEMA_FILE, _MOST_SCHEMA_STATEMENTS)
    for statement in statements:
        _check_schema_text(statement)
    triggers = [statement for statement in statements if statement.trigger]
    if len(triggers) > _MOST_TRIGGERS:
        problem = SqlProblem(f"creates more than {_MOST_TRIGGERS} triggers")
        raise _Place(SCHEMA_FILE, line=triggers[_MOST_TRIGGERS].line).error(problem)
    _check_views(statements)
    return statements


def _split(sql: str, file: str, most: int) -> list[Placed]:
    try:
        return split(sql, most)
    except SqlProblem as problem:
        raise _Place(file).error(problem) from problem


def _check_views(statements: list[Placed]) -> None:
    """Raise PackageError for a view that stands for too much: what prepares it would take for ever."""
    size: dict[str, int] = {}
    for statement in statements:
        words = _WORD.findall(without_comments(statement.sql).lower())
        if words[:1] != ["create"] or "view" not in words[1:3]:
            continue
        words = words[words.index("view") + 1 :]
        words = words[3:] if words[:3] == ["if", "not", "exists"] else words
        name = next(iter(words), "")
        size[name] = 1 + sum(size.get(word, 0) for word in words[1:])
        if size[name] > _MOST_EXPANDED:
            problem = SqlProblem(f"the view {name} builds on other views too often", remedy="Build it on tables.")
            raise _Place(SCHEMA_FILE, line=statement.line).error(problem)


def _check_schema_text(statement: Placed) -> None:
    try:
        check_text(statement.sql)
    except SqlProblem as problem:
        raise _Place(SCHEMA_FILE, line=statement.line).error(problem) from problem


@dataclass
class _Place:
    """Where in the package the SQL stands that is being run."""

    file: str
    field: str = ""
    line: int | None = None

    def error(self, problem: EnvolveError) -> PackageError:
        return PackageError(problem.message, file=self.file, field=self.field, line=self.line, remedy=problem.remedy)


_Allow = Callable[[int, str, str], str]
"""(action, first, second) → why it is refused, or nothing."""


def _run(connection: apsw.Connection, statements: list[Placed], file: str, allow: _Allow) -> None:
    place = _Place(file)
    with _explained(connection, place, allow):
        for statement in statements:
            place.line = statement.line
            connection.execute(statement.sql, can_cache=False)


def _seed(connection: apsw.Connection, seed_sql: str) -> None:
    try:
        check_time(seed_sql)
    except SqlProblem as problem:
        raise _Place(SEED_FILE).error(problem) from problem
    connection.execute("BEGIN")
    _run(connection, _split(seed_sql, SEED_FILE, _MOST_SEED_STATEMENTS), SEED_FILE, _allow_seeding)
    connection.execute("COMMIT")


@contextmanager
def _explained(connection: apsw.Connection, place: _Place, allow: _Allow | None) -> Iterator[None]:
    """Run the block under the allow-list; what goes wrong becomes a PackageError for `place` as it is then."""
    refused: list[str] = []

    def authorize(action: int, first: str | None, second: str | None, *_: Any) -> int:
        problem = allow(action, first or "", second or "") if allow else ""
        if problem:
            refused.append(problem)
        return apsw.SQLITE_DENY if problem else apsw.SQLITE_OK

    connection.authorizer = authorize
    try:
        yield
    except SqlProblem as problem:
        raise place.error(problem) from problem
    except (apsw.Error, UnicodeError) as error:
        raise place.error(SqlProblem(refused[0] if refused else _said(error))) from error
    finally:
        connection.authorizer = None


def _said(error: apsw.Error | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "a text is not valid UTF-8"
    if isinstance(error, apsw.InterruptError):
        return "takes too many steps"
    if isinstance(error, apsw.FullError):
        return "makes the database larger than a world may be"
    if isinstance(error, apsw.NoMemError):
        return "is too complex"
    if isinstance(error, apsw.TooBigError):
        return f"holds a value or row of more than {Limits().value_bytes:,} bytes"
    return str(error)


def _function_problem(action: int, second: str) -> str:
    if action == apsw.SQLITE_FUNCTION and second not in FUNCTIONS:
        return f"function {second}() is not among those allowed"
    return ""


def _allow_ddl(action: int, first: str, second: str) -> str:
    writes_rows = action in _ROW_WRITES and not first.startswith("sqlite_")
    if (action not in _DDL and action != apsw.SQLITE_FUNCTION) or writes_rows:
        return f"{_action(action)} is not allowed here: schema.sql creates tables, indexes, triggers and views"
    return _function_problem(action, second)


def _allow_seeding(action: int, first: str, second: str) -> str:
    if first.startswith("sqlite_"):
        return f"{first} is out of reach"
    if action in _SEEDING or action in {apsw.SQLITE_FUNCTION, apsw.SQLITE_READ}:
        return _function_problem(action, second)
    return f"{_action(action)} is not allowed here: seed.sql inserts rows"


def _allow_setup(tables: Mapping[str, TableInfo], action: int, first: str, second: str) -> str:
    if action in _ROW_WRITES or action == apsw.SQLITE_READ:
        return "" if first in tables or first in TABLE_FUNCTIONS else f"table {first} is out of reach"
    if action in {apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE, apsw.SQLITE_FUNCTION}:
        return _function_problem(action, second)
    if action == apsw.SQLITE_PRAGMA and first in {"table_info", "table_xinfo"}:
        return ""  # the session that records the rows reads the columns of their tables
    return f"{_action(action)} is not allowed here: setup changes rows"


def _action(action: int) -> str:
    return str(apsw.mapping_authorizer_function[action]).removeprefix("SQLITE_").replace("_", " ")


def _check_tables(connection: apsw.Connection, tables: Mapping[str, TableInfo]) -> None:
    strict = dict(connection.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'"))
    for table in tables.values():
        problem = _table_problem(table, bool(strict.get(table.name)))
        if problem:
            raise PackageError(problem[0], file=SCHEMA_FILE, field=table.name, remedy=problem[1])
    if not any(not table.view for table in tables.values()):
        raise PackageError("creates no table", file=SCHEMA_FILE)


def _table_problem(table: TableInfo, strict: bool) -> tuple[str, str] | None:
    """(what is wrong, what to do about it)."""
    for name in (table.name, *(column.name for column in table.columns)):
        if not _NAME.fullmatch(name):
            return f"the name {name!r} is not lower_snake_case", "Use a-z, 0-9 and _, at most 63 characters."
    if table.view:
        return None
    if not strict:
        return "the table is not STRICT", "End its CREATE TABLE with STRICT."
    if not table.primary_key:
        return "the table has no primary key", "Changes to such a table are not recorded: declare PRIMARY KEY."
    return None


def _check_references(connection: apsw.Connection, tables: Mapping[str, TableInfo]) -> None:
    for table in tables.values():
        for reference in table.references:
            _check_target(table, reference.table, reference.to_columns, tables)
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        table_name, rowid, target, _ = broken[0]
        row = f"row {rowid} " if rowid is not None else "a row "
        raise PackageError(
            f"{row}of {table_name} points at a row of {target} that does not exist"
            + (f" ({len(broken)} such references in all)" if len(broken) > 1 else ""),
            file=SEED_FILE,
            field=str(table_name),
            remedy="Insert the row it points at, or correct the reference.",
        )


def _check_target(table: TableInfo, target: str, columns: tuple[str, ...], tables: Mapping[str, TableInfo]) -> None:
    there = tables.get(target)
    if there is None:
        problem = f"references table {target!r}, which does not exist"
    elif not any(set(columns) == set(unique) for unique in there.unique):
        problem = f"references {target} ({', '.join(columns)}), which is neither its primary key nor UNIQUE"
    else:
        return
    raise PackageError(problem, file=SCHEMA_FILE, field=table.name, remedy="Correct the REFERENCES clause.")


def _objects(connection: apsw.Connection) -> tuple[tuple[str, str, str], ...]:
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY type, name"
    )
    return tuple((str(kind), str(name), str(sql)) for kind, name, sql in rows)


def _rows(connection: apsw.Connection, tables: Mapping[str, TableInfo]) -> dict[str, list[list[Any]]]:
    """Table → rows in key order, as JSON."""
    found = {}
    for name, table in tables.items():
        if not table.view:
            columns, key = (", ".join(f'"{column}"' for column in part) for part in (table.stored, table.primary_key))
            rows = connection.execute(f'SELECT {columns} FROM "{name}" ORDER BY {key}')
            try:
                found[name] = [[_plain(value) for value in row] for row in rows]
            except UnicodeDecodeError as error:
                raise _Place(SEED_FILE, name).error(SqlProblem("a text is not valid UTF-8")) from error
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {"real": str(value)}
    return {"blob": value.hex()} if isinstance(value, bytes) else value
