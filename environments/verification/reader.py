"""Reading states: one read-only connection over the seed state, an end state, and the rows between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any

import apsw

from ..changes import ChangeSet
from ..clock import WorldClock
from ..connections import StepBudget, connect
from ..fetching import fetched
from ..functions import add_functions
from ..guard import read_guard
from ..limits import Limits
from ..models import Actor, RowChange
from ..schema import in_key_order
from ..sql_text import SqlProblem, check_single, check_text
from ..states import ConnectionRows
from ..states.rows import quoted

if TYPE_CHECKING:
    from ..package import Environment

_LIMITS = Limits(steps_per_call=20_000_000, value_bytes=131_072)
"""Values are at most twice as long as a world's: what some functions take grows with the square of that."""
_NO_CHANGES = ChangeSet()
_OPERATIONS = {"inserted": "insert", "deleted": "delete"}
_PUT_AT = {"delete": 0, "update": 1, "insert": 2}
_LAYER = re.compile(r'\b(inserted|deleted)"?\s*\.\s*"?(\w+)', re.IGNORECASE)
_STORED_NAME = re.compile(r'^CREATE TABLE\s+(?:"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|\w+)')

Layer = tuple[str, str]
"""`inserted` or `deleted`, and a table."""


class StateReader:
    """Runs verifier, goal, grounding, answer and probe SQL over `before.*`, `after.*`, `inserted.*`, `deleted.*`.

    `before` is the seed state. Until `show` is called `after` is the same state, and `inserted` and `deleted` are
    empty. A name without schema means the seed state: `before` is attached first, and nothing lies in front of it.
    Bound besides what a query is given: `:now`, `:today` (the world's clock when the episode opened), `:actor_id`
    (NULL without an actor).

    One reader serves any number of end states of one seed state; showing another costs as much as it changed.
    Close it, or use it as a context manager.
    """

    def __init__(self, environment: Environment, before: bytes, *, actor: Actor | None = None) -> None:
        self._tables = environment.tables()
        self._before = before
        self._clock = WorldClock(environment.spec.clock)
        self._bound = {"now": self._clock.now, "today": self._clock.today, "actor_id": actor.id if actor else None}
        self._budget = StepBudget(_LIMITS)
        self._connection = connect(limits=_LIMITS, budget=self._budget)
        self._after = before
        self._changes: ChangeSet | None = None
        self._layers: set[Layer] = set()
        self._in_key_order = all(table.view or in_key_order(table) for table in self._tables.values())
        self._after_is_seed = False
        self._writing = False
        self._guard = read_guard(self._tables.__contains__)
        self._open()

    def _open(self) -> None:
        connection = self._connection
        # The rows of inserted.* and deleted.* point at rows that lie elsewhere.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        # Rows of a state are shown as they are: what triggers made of them is among them.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        for schema in ("before", "after", "inserted", "deleted"):
            connection.execute(f"ATTACH ':memory:' AS {schema}")
        connection.deserialize("before", self._before)
        add_functions(connection)
        connection.authorizer = self._guarded

    def _guarded(self, *asked: Any) -> int:
        """The authorizer. It stays the same: with another one SQLite prepares every statement anew."""
        return apsw.SQLITE_OK if self._writing else self._guard(*asked)

    def show(self, after: bytes | apsw.Connection, changes: ChangeSet) -> None:
        """Make `after` the end state, with the rows that `changes` (net against the seed state) added and deleted."""
        self._after = after if isinstance(after, bytes) else after.serialize("main")
        self._changes = changes
        with self._prepared():
            self._show()

    def _show(self) -> None:
        changes = self._changes or _NO_CHANGES
        if not self._shown_by_rows(changes):
            self._take_back()
            self._connection.deserialize("after", self._after)
            self._after_is_seed = False
            self._write("BEGIN")
        for schema, table in sorted(self._layers):
            for change in changes.rows:
                if change.table == table and change.op == _OPERATIONS[schema]:
                    self._insert(_name((schema, table)), change.new or change.old)

    def _shown_by_rows(self, changes: ChangeSet) -> bool:
        """Make the seed state the end state by its changes, in a transaction that the next state ends; whether it is
        the end state to the last detail. Where rows do not lie in the order of their keys, a row that was deleted and
        made again as it was lies elsewhere, and no change tells."""
        self._take_back()
        if not self._in_key_order:
            return False
        if not self._after_is_seed:
            self._connection.deserialize("after", self._before)
            self._after_is_seed = True
        self._write("BEGIN")
        try:
            return all(self._put(change) for change in sorted(changes.rows, key=lambda change: _PUT_AT[change.op]))
        except apsw.ConstraintError:
            # Rows that exchange unique values, put one after the other.
            return False

    def _take_back(self) -> None:
        if self._connection.in_transaction:
            self._write("ROLLBACK")

    def _put(self, change: RowChange) -> bool:
        """Make a change in the end state; whether there was the row to change."""
        table = f"after.{quoted(change.table)}"
        if change.op == "insert":
            self._insert(table, change.new)
            return True
        matching = " AND ".join(f"{quoted(name)} IS ?" for name in change.key)
        key = tuple(change.key.values())
        if change.op == "delete":
            self._write(f"DELETE FROM {table} WHERE {matching}", key)
        else:
            values = ", ".join(f"{quoted(name)} = ?" for name in change.new)
            self._write(f"UPDATE {table} SET {values} WHERE {matching}", (*change.new.values(), *key))
        return self._connection.changes() == 1

    def _insert(self, table: str, row: Mapping[str, Any]) -> None:
        columns, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        self._write(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(row.values()))

    def show_seed(self) -> None:
        """Make the seed state the end state, as if nothing had been done."""
        self.show(self._before, _NO_CHANGES)

    def query(self, sql: str, params: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows. Raises SqlProblem: SQL that does not prepare or may not be run, unknown names, limits."""
        return self._run(self._connection.cursor(), sql, params)

    def records(self, sql: str, params: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """All rows by column name. Raises SqlProblem."""
        names: list[str] = []

        def note(cursor: apsw.Cursor, statement: str, bindings: object) -> bool:
            names.extend(column[0] for column in cursor.get_description())
            return True

        cursor = self._connection.cursor()
        cursor.exec_trace = note
        return [dict(zip(names, row, strict=True)) for row in self._run(cursor, sql, params)]

    def value(self, sql: str, params: Mapping[str, Any] | None = None) -> Any:
        """The first value of the first row; None without a row. Raises SqlProblem."""
        rows = self._run(self._connection.cursor(), sql, params, only_first=True)
        return rows[0][0] if rows else None

    def holds(self, sql: str, params: Mapping[str, Any] | None = None) -> bool:
        """Whether the first value is true as SQLite sees it: a number other than 0. Raises SqlProblem."""
        return is_true(self.value(sql, params))

    @property
    def after(self) -> ConnectionRows:
        """Rows of the end state, by column values."""
        return ConnectionRows(self._connection, "after")

    @property
    def before(self) -> ConnectionRows:
        """Rows of the seed state, by column values."""
        return ConnectionRows(self._connection, "before")

    def _run(
        self, cursor: apsw.Cursor, sql: str, params: Mapping[str, Any] | None, *, only_first: bool = False
    ) -> list[tuple[Any, ...]]:
        if self._changes is None:
            self.show_seed()
        layers = _checked_layers(sql)
        if not layers <= self._layers:
            self._make(layers - self._layers)
        self._clock.enter()
        self._budget.start()
        try:
            rows = cursor.execute(sql, {**self._bound, **(params or {})})
            return fetched(rows, most=1 if only_first else None)
        except SqlProblem as problem:
            raise SqlProblem(f"{problem.message}: {_shortened(sql)}") from problem
        except apsw.InterruptError as error:
            raise SqlProblem(f"ran past its step budget: {_shortened(sql)}") from error
        except (apsw.Error, KeyError, TypeError, ValueError) as error:
            raise SqlProblem(f"cannot run: {_reason(error)}: {_shortened(sql)}") from error
        finally:
            cursor.close(True)

    def _make(self, layers: frozenset[Layer]) -> None:
        """The tables that a query is the first to ask for. Unknown ones are left for SQLite to miss."""
        with self._prepared():
            # Made outside of the transaction, they stay.
            self._take_back()
            for schema, table in sorted(layers):
                info = self._tables.get(table)
                if info is not None and not info.view:
                    self._write(_STORED_NAME.sub(f"CREATE TABLE {_name((schema, table))}", info.sql, count=1))
                    self._layers.add((schema, table))
            self._show()

    @contextmanager
    def _prepared(self) -> Iterator[None]:
        """Lets the block write."""
        self._budget.start()
        self._writing = True
        try:
            yield
        finally:
            self._writing = False

    def _write(self, sql: str, values: Sequence[Any] = ()) -> None:
        # A statement prepared here must not be found again by a query with the same text, which has no flags.
        self._connection.execute(sql, values, prepare_flags=apsw.SQLITE_PREPARE_PERSISTENT)

    def close(self) -> None:
        # It holds the reader.
        self._connection.authorizer = None
        self._connection.close(True)

    def __enter__(self) -> StateReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def is_true(value: Any) -> bool:
    """Truth as SQLite sees it; text and NULL are not true."""
    return isinstance(value, int | float) and value != 0


@lru_cache(maxsize=1024)
def _checked_layers(sql: str) -> frozenset[Layer]:
    """The tables of `inserted` and `deleted` that a text names. Raises SqlProblem for what no statement may hold."""
    check_text(sql)
    check_single(sql)
    return frozenset((schema.lower(), table.lower()) for schema, table in _LAYER.findall(sql))


def _name(layer: Layer) -> str:
    return f"{layer[0]}.{quoted(layer[1])}"


def _shortened(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= 200 else f"{line[:199]}…"


def _reason(error: BaseException) -> str:
    return f"binds :{error.args[0]}, which is not known here" if isinstance(error, KeyError) else str(error)
