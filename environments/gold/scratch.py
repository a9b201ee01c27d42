"""The scratch database that picks run on: what the gold program has seen so far, as tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import apsw

from ..clock import WorldClock
from ..connections import StepBudget, connect
from ..fetching import fetched
from ..functions import add_functions
from ..guard import read_guard
from ..limits import Limits
from ..sql_text import SqlProblem, check_single, check_text
from ..states.rows import quoted
from .picks import Picked, Picks, Table
from .references import PickedRow, PickQuery

_LIMITS = Limits(value_bytes=262_144)
"""Nested values of a result become one text."""


class PickFailed(Exception):
    """SQL of a pick that does not run. Control flow: it becomes the failure of a gold run."""


class Scratch:
    """Tables named `$found`, one for each name of the program, with the world's functions and time."""

    def __init__(self, clock: str, bound: Mapping[str, Any], picks: Picks | None = None) -> None:
        self._clock = WorldClock(clock)
        self._bound = {"now": self._clock.now, "today": self._clock.today, **bound}
        self._budget = StepBudget(_LIMITS)
        self._guard = read_guard(lambda table: table.startswith("$"))
        self._picks = picks
        self._tables: dict[str, Table] = {}
        self._missing: set[str] = set()
        self._made: set[str] = set()

    @cached_property
    def _connection(self) -> apsw.Connection:
        connection = connect(limits=_LIMITS, budget=self._budget)
        add_functions(connection)
        return connection

    def put(
        self,
        name: str,
        columns: Sequence[str],
        rows: Sequence[Mapping[str, Any]],
        origin: Sequence[Any] | None = None,
    ) -> None:
        """Make the table `$name`; nested values become JSON text. `origin`: the results that the rows were taken from,
        where they are others by which the table can be known again. Raises PickFailed for values that are too long."""
        table = Table(tuple(dict.fromkeys(columns)), rows, (rows,) if origin is None else tuple(origin))
        self._tables[name] = table
        self._missing.add(name)
        if self._picks is None or not self._picks.fits(table):
            self._make(name)
            if self._picks is not None:
                self._picks.keep_table(table)

    def _make(self, name: str) -> None:
        try:
            self._fill(name, self._tables[name])
        except apsw.Error as error:
            raise PickFailed(f"${name} cannot be a table: {error}") from error
        self._missing.discard(name)

    def _fill(self, name: str, made: Table) -> None:
        table = quoted(f"${name}")
        marks = ", ".join("?" * len(made.columns))
        self._budget.start()
        # Nothing is cached: a statement made here must not be found again by a pick with the same text.
        execute = partial(self._connection.execute, can_cache=False)
        self._connection.authorizer = None
        if name in self._made:
            execute(f"DROP TABLE {table}")
        execute(f"CREATE TABLE {table} ({', '.join(map(quoted, made.columns))})")
        self._made.add(name)
        stored = [tuple(_stored(row.get(column)) for column in made.columns) for row in made.rows]
        self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", stored, can_cache=False)
        self._connection.authorizer = self._guard

    def pick(self, query: PickQuery) -> Picked:
        """The rows of a query. Raises PickFailed."""
        if self._picks is None:
            return self._run(query)
        tables = [self._tables[name] for name in sorted(query.tables) if name in self._tables]
        known_as = tuple(table.known_as for table in tables)
        key = (query.sql, repr((self._bound, query.values)), known_as)
        found = self._picks.picked(key)
        if found is None:
            found = self._run(query)
            self._picks.keep(key, tables, found)
        return found

    def _run(self, query: PickQuery) -> Picked:
        for name in sorted(self._missing & query.tables):
            self._make(name)
        names: list[str] = []

        def note(cursor: apsw.Cursor, statement: str, bindings: object) -> bool:
            names.extend(column[0] for column in cursor.get_description())
            return True

        self._clock.enter()
        self._budget.start()
        self._connection.authorizer = self._guard
        cursor = self._connection.cursor()
        cursor.exec_trace = note
        try:
            check_text(query.sql)
            check_single(query.sql)
            rows = fetched(cursor.execute(query.sql, {**self._bound, **query.values}))
        except KeyError as error:
            raise PickFailed(f"binds :{error.args[0]}, which is not known here") from error
        except SqlProblem as problem:
            raise PickFailed(problem.message) from problem
        except (apsw.Error, TypeError, ValueError) as error:
            raise PickFailed(str(error)) from error
        finally:
            cursor.close(True)
        return Picked(tuple(names), [PickedRow(zip(names, row, strict=True)) for row in rows])

    def sizes(self, query: PickQuery) -> dict[str, int]:
        """How many rows each table of a query has."""
        return {name: len(self._tables[name].rows) for name in sorted(query.tables)}

    def close(self) -> None:
        if "_connection" in self.__dict__:
            self._connection.close(True)


def _stored(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping | list) else value
