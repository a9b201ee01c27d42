"""Editing gold's end state by hand: what end-state mutants are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from ...environments.changes import ChangeSet, apart, decode, in_order
from ...environments.clock import WorldClock
from ...environments.connections import StepBudget, check_references, connect_pages
from ...environments.functions import add_functions
from ...environments.limits import Limits
from ...environments.models import RowChange
from ...environments.package import Environment
from ...environments.states import ConnectionRows, state_signature
from ...environments.states.rows import quoted
from ...environments.verification import StateReader
from .invariants import invariant_reads, may_break

Place = tuple[Any, ...]
"""A row: its table, and the values of its key."""


class RowEdit(NamedTuple):
    """One row edited: `values` are set in the row of `key`; without key a row is added, without values one is
    deleted."""

    table: str
    key: Mapping[str, Any] | None
    values: Mapping[str, Any] | None

    def shown(self) -> dict[str, Any]:
        if self.key is None:
            return {"table": self.table, "added": dict(self.values or {})}
        what = {"set": dict(self.values)} if self.values is not None else {"deleted": True}
        return {"table": self.table, "row": dict(self.key), **what}

    @property
    def place(self) -> str:
        """The row and the columns, in short."""
        row = "new" if self.key is None else ", ".join(map(str, self.key.values()))
        columns = ", ".join(self.values or {}) if self.key is not None else ""
        return f"{self.table}({row}){f': {columns}' if columns else ''}"

    @property
    def sql(self) -> str:
        """A statement that makes the edit, to paste."""
        table, values = quoted(self.table), self.values or {}
        where = " AND ".join(
            f"{quoted(name)} IS {apsw.format_sql_value(value)}" for name, value in (self.key or {}).items()
        )
        if self.key is None:
            columns = ", ".join(map(quoted, values))
            return (
                f"INSERT INTO {table} ({columns}) VALUES ({', '.join(map(apsw.format_sql_value, values.values()))});"
            )
        if self.values is None:
            return f"DELETE FROM {table} WHERE {where};"
        assignments = ", ".join(f"{quoted(name)} = {apsw.format_sql_value(value)}" for name, value in values.items())
        return f"UPDATE {table} SET {assignments} WHERE {where};"


def undone(change: RowChange) -> RowEdit:
    """The edit that takes a change back."""
    if change.op == "insert":
        return RowEdit(change.table, change.key, None)
    return RowEdit(change.table, None if change.op == "delete" else change.key, change.old)


class Edit(NamedTuple):
    """A kind of edit, and the rows that it edits, in order; `deferred`: references need to hold at the end only."""

    kind: str
    rows: tuple[RowEdit, ...]
    deferred: bool = False

    def shown(self) -> dict[str, Any]:
        """For evidence."""
        return {"kind": self.kind, "rows": [row.shown() for row in self.rows]}

    @property
    def place(self) -> str:
        return "; ".join(row.place for row in self.rows)

    @property
    def sql(self) -> list[str]:
        """Statements that make the edit in gold's end state, to paste."""
        return [row.sql for row in self.rows]


@dataclass(frozen=True)
class EndState:
    """A state, its net changes against the seed state, and its signature (≈)."""

    image: bytes
    changes: ChangeSet
    signature: str


class EndStateEditor:
    """Applies edits to an end state, each one undone again."""

    def __init__(
        self,
        environment: Environment,
        end: EndState,
        reader: StateReader,
        free: Mapping[str, Sequence[str]],
    ) -> None:
        self._environment = environment
        self._tables = environment.tables()
        self._reader = reader
        self._free = free
        self._changes: dict[Place, list[RowChange]] = {}
        for change in end.changes.rows:
            self._changes.setdefault(place_of(change), []).append(change)
        self._budget = StepBudget(Limits())
        self._connection = connect_pages(end.image, budget=self._budget)
        add_functions(self._connection)
        # An edit is a state that may be, not an action: triggers would act on it.
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        self._clock = WorldClock(environment.spec.clock)
        reads = invariant_reads(environment.kit)
        self._invariants = {sql: found for sql, found in reads.items() if not self._broken(sql)}

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of the unedited end state."""
        self._budget.start()
        return self._connection.execute(sql, values).fetchall()

    def apply(self, edit: Edit) -> EndState | str:
        """The edited state, or the rule by which it is none: `constraint` or `invariant`."""
        self._budget.start()
        session = apsw.Session(self._connection, "main")
        try:
            session.attach()
            return self._applied(edit, session)
        except (apsw.ConstraintError, apsw.MismatchError):
            return "constraint"
        finally:
            session.close()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close(True)

    def _applied(self, edit: Edit, session: apsw.Session) -> EndState | str:
        self._connection.execute("BEGIN")
        if edit.deferred:
            self._connection.execute("PRAGMA defer_foreign_keys = ON")
        for row in edit.rows:
            self._edit(row)
        edited = decode(session.changeset(), self._tables)
        if any(may_break(reads, edited) and self._broken(sql) for sql, reads in self._invariants.items()):
            return "invariant"
        check_references(self._connection)
        changes = self._net(edited)
        signature = state_signature(self._environment, changes, self._connection, free=self._free)
        return EndState(self._connection.serialize("main"), changes, signature)

    def _edit(self, row: RowEdit) -> None:
        table, values = quoted(row.table), row.values or {}
        matching = " AND ".join(f"{quoted(column)} IS ?" for column in row.key or {})
        if row.key is None:
            columns, marks = ", ".join(map(quoted, values)), ", ".join("?" * len(values))
            sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        elif row.values is None:
            sql = f"DELETE FROM {table} WHERE {matching}"
        else:
            assignments = ", ".join(f"{quoted(column)} = ?" for column in values)
            sql = f"UPDATE {table} SET {assignments} WHERE {matching}"
        self._connection.execute(sql, (*values.values(), *(row.key or {}).values()))

    def _broken(self, invariant: str) -> bool:
        self._clock.enter()
        bound = {"now": self._clock.now, "today": self._clock.today}
        return self._connection.execute(invariant, bound).fetchone() is not None

    def _net(self, edited: Sequence[RowChange]) -> ChangeSet:
        """The changes against the seed state, once the rows of `edited` were touched."""
        found = dict(self._changes)
        after = ConnectionRows(self._connection)
        for change in edited:
            found[place_of(change)] = self._differences(change, after)
        return ChangeSet(rows=in_order(row for rows in found.values() for row in rows))

    def _differences(self, edited: RowChange, after: ConnectionRows) -> list[RowChange]:
        """The changes of one row against the seed state. One that has the number of a deleted row stays another row."""
        net = self._difference(edited.table, edited.key, after)
        again = len(self._changes.get(place_of(edited), ())) > 1
        if net is None or net.op != "update" or not again:
            return [] if net is None else [net]
        columns = self._tables[net.table].stored
        (row,) = after.select(net.table, columns, net.key)
        return list(apart(net, dict(zip(columns, row, strict=True))))

    def _difference(self, table: str, key: Mapping[str, Any], after: ConnectionRows) -> RowChange | None:
        columns = self._tables[table].stored
        old, new = (
            dict(zip(columns, row, strict=True)) if row else None
            for row in (next(iter(rows.select(table, columns, key)), None) for rows in (self._reader.before, after))
        )
        if old is None or new is None:
            if old is new:
                return None
            return RowChange(
                table=table, op="insert" if old is None else "delete", key=dict(key), old=old or {}, new=new or {}
            )
        changed = [column for column in columns if old[column] != new[column]]
        if not changed:
            return None
        return RowChange(
            table=table,
            op="update",
            key=dict(key),
            old={column: old[column] for column in changed},
            new={column: new[column] for column in changed},
        )


def place_of(change: RowChange) -> Place:
    return change.table, *change.key.values()
