"""Checking one SQL statement of a package against its schema, without running it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import apsw

from .guard import Inspector, Write
from .sql_text import SqlProblem, check_text, first_word


@dataclass(frozen=True, slots=True)
class Statement:
    """A checked statement: its text, the names it binds, its result columns, what it reads (table, column) and
    writes, triggers and views included."""

    sql: str
    names: tuple[str, ...]
    columns: tuple[str, ...]
    reads: frozenset[tuple[str, str]]
    writes: frozenset[Write]
    functions: frozenset[str]
    origins: tuple[tuple[str, str] | None, ...] = ()
    """The table and column that each result column shows as it is; None for what is computed. Of a compound SELECT
    (UNION, …), seen here or hidden in a view, SQLite names that of one arm only."""


class _Nulls(Mapping[str, None]):
    """Binds NULL to every name: a statement must be bound before it shows what it is."""

    def __getitem__(self, name: str) -> None:
        return None

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class StatementChecker:
    """Prepares statements on a connection to a built world (which gets its authorizer replaced)."""

    def __init__(self, connection: apsw.Connection, tables: Collection[str]) -> None:
        self._connection = connection
        self._tables = tables

    def query(
        self, sql: str, known: Collection[str], *, columns: int | None = None, codes: bool = False
    ) -> Statement:
        """A read-only SELECT that returns columns (exactly `columns`, if given) and binds known names only.

        `codes`: whether it may call `code()`. Raises SqlProblem.
        """
        statement = self._check(sql, known, "read")
        if "code" in statement.functions and not codes:
            raise SqlProblem("code() is only for tools that write", remedy="Reading must not use codes up.")
        if not statement.columns:
            raise SqlProblem("is no query: it returns nothing")
        if columns is not None and len(statement.columns) != columns:
            raise SqlProblem(f"returns {len(statement.columns)} columns instead of {columns}")
        return statement

    def write(self, sql: str, known: Collection[str]) -> Statement:
        """An INSERT, UPDATE or DELETE. Raises SqlProblem."""
        statement = self._check(sql, known, "write")
        if not statement.writes:
            raise SqlProblem("writes nothing", remedy="Use INSERT, UPDATE or DELETE, or `let` to look something up.")
        return statement

    def _check(self, sql: str, known: Collection[str], mode: Literal["read", "write"]) -> Statement:
        check_text(sql)
        inspector = Inspector(self._tables, writing=mode == "write")
        prepared = self._prepare(sql, inspector)
        unknown = [name for name in prepared.names if name not in known]
        if unknown:
            listed = ", ".join(f":{name}" for name in sorted(known)) or "none"
            raise SqlProblem(f"binds :{unknown[0]}, which is not known here", remedy=f"Known names: {listed}.")
        return prepared

    def _prepare(self, sql: str, inspector: Inspector) -> Statement:
        seen: list[Statement] = []

        def trace(cursor: apsw.Cursor, text: str, bindings: object) -> bool:
            if sql[len(text) :].strip():
                raise SqlProblem("holds more than one statement", remedy="Give each statement a step of its own.")
            seen.append(_statement(cursor, text, inspector))
            return False

        cursor = self._connection.cursor()
        cursor.exec_trace = trace
        self._connection.authorizer = inspector
        try:
            cursor.execute(sql, _Nulls(), can_cache=False)
        except apsw.ExecTraceAbort:
            pass
        except apsw.Error as error:
            raise _problem(error, inspector) from error
        finally:
            self._connection.authorizer = None
            cursor.close(True)
        if not seen:
            raise SqlProblem("holds no statement")
        return seen[0]


def _statement(cursor: apsw.Cursor, text: str, inspector: Inspector) -> Statement:
    if first_word(text) not in {"select", "with", "values", "insert", "update", "delete"}:
        raise SqlProblem("is neither SELECT, INSERT, UPDATE nor DELETE")
    names = cursor.bindings_names
    if any(name is None for name in names):
        raise SqlProblem("binds by position", remedy="Use :name.")
    return Statement(
        sql=text,
        names=tuple(str(name) for name in names),
        columns=tuple(column[0] for column in cursor.get_description()) if cursor.has_vdbe else (),
        reads=frozenset(inspector.reads),
        writes=frozenset(inspector.writes),
        functions=frozenset(inspector.functions),
        origins=_origins(cursor) if cursor.has_vdbe else (),
    )


def _origins(cursor: apsw.Cursor) -> tuple[tuple[str, str] | None, ...]:
    return tuple((str(d[3]), str(d[4])) if d[3] and d[4] else None for d in cursor.description_full)


def _problem(error: apsw.Error, inspector: Inspector) -> SqlProblem:
    if inspector.refused:
        return SqlProblem(inspector.refused)
    reason = "it is too complex" if isinstance(error, apsw.NoMemError) else str(error)
    return SqlProblem(f"does not prepare: {reason}")
