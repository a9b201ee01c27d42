"""The edits of gold's end state that a verifier must notice, by kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...environments.models import RowChange
from ...environments.states.rows import quoted
from ...environments.verification import bind
from .base import AuditContext
from .dropping import FREE, SAME, UNWRITTEN, Dropped
from .edits import Edit, Place, RowEdit, place_of, undone
from .siblings import Siblings, later
from .sql_literals import equalities

_CANDIDATES = 10
"""Edits listed for one slot; those that break a constraint make room for the next."""
_WANTED = 3
_PATIENCE = 5


class Slot(NamedTuple):
    """Alternative edits that test the same thing, of which the first `wanted` that are states of the world count.

    If none of the first `patience` is one, the slot is given up: its column hangs on others by a constraint or an
    invariant.
    """

    edits: list[Edit]
    wanted: int = 1
    patience: int = _CANDIDATES


class Mutations:
    """Lists edits for the changes that count. What is not listed is in `left_out`, with the rule."""

    def __init__(self, context: AuditContext, siblings: Siblings) -> None:
        comparison = context.comparison
        self._context = context
        changes = context.gold.changes.rows
        self._changes = [change for change in changes if change.table not in comparison.logs]
        self._tables = context.environment.tables()
        self._ignored = comparison.ignored
        self._free = context.task.verifier.free
        self._logs = comparison.logs
        self._writes = context.writes
        self._siblings = siblings
        self.left_out = [
            Dropped("row reverted", undone(change).place, SAME)
            for change in changes
            if change.table in comparison.logs
        ]

    def slots(self) -> list[Slot]:
        """What is tested, in a fixed order."""
        return [
            *self._rows_reverted(),
            *self._columns_reverted(),
            *self._columns_set(),
            *self._moved_to_siblings(),
            *self._allowed_elsewhere(),
            *self._extra_changes(),
            *self._added(),
            *self._deleted(),
        ]

    def _rows_reverted(self) -> Iterator[Slot]:
        by_table: dict[str, list[RowEdit]] = {}
        for change in self._changes:
            by_table.setdefault(change.table, []).append(undone(change))
        for rows in by_table.values():
            yield from (Slot([Edit("row reverted", (row,))]) for row in rows)
            if len(rows) > 1:
                # New rows first: they may have the number of one that comes back.
                yield Slot([Edit("row reverted", tuple(sorted(rows, key=lambda row: row.values is not None)))])

    def _columns_reverted(self) -> Iterator[Slot]:
        for change in self._changes:
            if change.op == "update" and len(change.new) > 1:
                for column in self._counted(change):
                    yield Slot([_set("column reverted", change, {column: change.old[column]})])

    def _columns_set(self) -> Iterator[Slot]:
        for change in self._changes:
            for column in self._counted(change, note=True) if change.op != "delete" else ():
                unlike = [change.new[column], *([change.old[column]] if column in change.old else ())]
                values = self._siblings.values(change.table, column, unlike, _CANDIDATES)
                edits = [_set("column set to a sibling's value", change, {column: value}) for value in values]
                yield Slot(edits, _WANTED, _PATIENCE)

    def _moved_to_siblings(self) -> Iterator[Slot]:
        for change in self._changes:
            if change.op == "insert":
                continue
            keys = [other.key for other in self._changes if other.table == change.table]
            values = None if change.op == "delete" else dict(change.new)
            edits = [
                Edit(
                    "same change to a sibling row",
                    (undone(change), RowEdit(change.table, {name: row[name] for name in change.key}, values)),
                )
                for row in self._siblings.rows(change.table, keys, _CANDIDATES)
            ]
            yield Slot(edits, _WANTED)

    def _allowed_elsewhere(self) -> Iterator[Slot]:
        """Changes that `allow` admits and gold does not make: where a verifier that allows too much shows first."""
        done: dict[Place, set[str]] = {}
        for change in self._changes:
            done.setdefault(place_of(change), set()).update(change.new)
        for allow in self._context.task.verifier.allow:
            table = allow.table
            for column in sorted(set(allow.columns)):
                rule = self._out_of_reach(table, column)
                if rule:
                    self.left_out.append(Dropped("allowed column changed", f"{table}.{column}", rule))
                    continue
                edits = [
                    Edit("allowed column changed", (RowEdit(table, key, {column: value}),))
                    for row in self._siblings.where(table, allow.key or {})
                    if column not in done.get((table, *(key := self._key(table, row)).values()), ())
                    for value in self._siblings.values(table, column, [row[column]], _CANDIDATES)
                ]
                yield Slot(edits, _WANTED)
            if allow.delete is not None and table in self._writes.deletes:
                keys = self._matching(table, allow.delete.where)
                yield Slot([Edit("row deleted", (RowEdit(table, key, None),)) for key in keys], _WANTED)
            if allow.insert is not None and allow.insert.where is not None and table in self._writes.inserts:
                rows = self._wanted(table, allow.insert.where)
                yield Slot([Edit("allowed row added", (RowEdit(table, None, row),)) for row in rows], _WANTED)

    def _out_of_reach(self, table: str, column: str) -> str:
        """The rule by which no allowed change of a column counts; empty where it does."""
        if column not in self._writes.updates.get(table, ()):
            return UNWRITTEN
        return FREE if column in self._free.get(table, ()) else ""

    def _wanted(self, table: str, where: str) -> list[dict[str, Any]]:
        """New rows as a condition of `allow` wants them."""
        set_equal = equalities(where, self._binds)
        given = {column: value for column, value in set_equal.items() if column in self._tables[table].stored}
        templates = self._siblings.rows(table, [], _CANDIDATES)
        return [self._copy(table, row, number) | given for number, row in enumerate(templates)]

    @cached_property
    def _binds(self) -> dict[str, Any]:
        """What the verifier binds in gold's end state."""
        context = self._context
        context.reader.show(context.gold.after, context.gold.changes)
        return bind(context.reader, context.task.verifier).values

    def _matching(self, table: str, where: str | None) -> list[dict[str, Any]]:
        """Keys of rows in gold's end state that satisfy a condition of `allow`."""
        context, primary, binds = self._context, self._tables[table].primary_key, self._binds
        context.reader.show(context.gold.after, context.gold.changes)
        sql = f"SELECT {', '.join(map(quoted, primary))} FROM after.{quoted(table)}"
        rows = context.reader.query(sql + (f" WHERE (\n{where}\n)" if where else ""), binds)
        return [dict(zip(primary, row, strict=True)) for row in rows[:_CANDIDATES]]

    def _extra_changes(self) -> Iterator[Slot]:
        for table in self._compared:
            info, updated = self._tables[table], self._writes.updates.get(table, frozenset())
            hidden = self._ignored[table].union(info.primary_key)
            for column in info.stored:
                if column in hidden or column not in updated:
                    rule = SAME if column in self._ignored[table] else UNWRITTEN
                    self.left_out.append(Dropped("extra row changed", f"{table}.{column}", rule))
            if updated <= hidden:
                continue
            keys = [change.key for change in self._changes if change.table == table]
            rows = self._siblings.rows(table, keys, _CANDIDATES)
            for column in sorted(updated - hidden):
                edits = [
                    Edit("extra row changed", (RowEdit(table, self._key(table, row), {column: value}),))
                    for row in rows
                    for value in self._siblings.values(table, column, [row[column]], 1)
                ]
                yield Slot(edits, _WANTED, _PATIENCE)

    def _added(self) -> Iterator[Slot]:
        self._unwritten("row added", self._writes.inserts)
        for table in sorted(self._writes.inserts - self._logs):
            ours = [dict(change.new) for change in self._changes if change.table == table and change.op == "insert"]
            templates = [*ours, *ours, *self._siblings.rows(table, [], _CANDIDATES)][:_CANDIDATES]
            edits = [
                Edit("row added", (RowEdit(table, None, self._copy(table, row, number)),))
                for number, row in enumerate(templates)
            ]
            yield Slot(edits, _WANTED)

    def _deleted(self) -> Iterator[Slot]:
        self._unwritten("row deleted", self._writes.deletes)
        for table in sorted(self._writes.deletes - self._logs):
            rows = self._siblings.rows(table, [], _CANDIDATES)
            edits = [Edit("row deleted", (RowEdit(table, self._key(table, row), None),)) for row in rows]
            yield Slot(edits, _WANTED)

    @cached_property
    def _compared(self) -> list[str]:
        """The tables that count."""
        return sorted(name for name, info in self._tables.items() if not info.view and name not in self._logs)

    def _unwritten(self, kind: str, written: Collection[str]) -> None:
        self.left_out += [Dropped(kind, table, UNWRITTEN) for table in self._compared if table not in written]

    def _key(self, table: str, row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: row[name] for name in self._tables[table].primary_key}

    def _counted(self, change: RowChange, *, note: bool = False) -> list[str]:
        """The columns of a changed row whose values count; with `note` the others are noted as left out."""
        own = self._tables[change.table].primary_key if change.op == "insert" else ()
        ignored, free = self._ignored[change.table].union(own), self._free.get(change.table, ())
        if note:
            kind = "column set to a sibling's value"
            for column in (name for name in change.new if name in ignored or name in free):
                place = RowEdit(change.table, change.key, {column: None}).place
                self.left_out.append(Dropped(kind, place, SAME if column in ignored else FREE))
        return [column for column in change.new if column not in ignored and column not in free]

    def _copy(self, table: str, row: Mapping[str, Any], number: int) -> dict[str, Any]:
        """`row` under a new key, with fresh values in unique columns; from the second copy on some days later, and
        with another parent."""
        info = self._tables[table]
        copy = {name: later(value, number) for name, value in row.items()}
        for columns in info.unique:
            own = [column for column in columns if info.by_name[column].references is None]
            for column in own[:1]:
                copy[column] = self._siblings.fresh(table, column)
        parents = [column for column in info.stored if info.by_name[column].references is not None]
        if parents and (number or not any(set(columns) - set(parents) for columns in info.unique)):
            column = parents[number % len(parents)]
            copy[column] = next(iter(self._siblings.values(table, column, [row[column]], 1)), row[column])
        return copy


def _set(kind: str, change: RowChange, values: dict[str, Any]) -> Edit:
    return Edit(kind, (RowEdit(change.table, change.key, values),))
