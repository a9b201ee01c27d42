"""What changed in a world, row by row, net: a row that was changed back did not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import apsw

from .models import Frozen, RowChange
from .schema import TableInfo

_OPERATIONS: dict[int, Literal["insert", "update", "delete"]] = {
    apsw.SQLITE_INSERT: "insert",
    apsw.SQLITE_UPDATE: "update",
    apsw.SQLITE_DELETE: "delete",
}


class ChangeSet(Frozen):
    """The rows that changed against the seed state, sorted by table, key and operation.

    A primary key that changed shows as a deleted and an inserted row; so does a row whose number is that of a row
    that was deleted before (see `numbering`).
    """

    rows: tuple[RowChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)


def net(changesets: Sequence[bytes], tables: Mapping[str, TableInfo]) -> ChangeSet:
    """The rows that the SQLite changesets, one after the other, add up to."""
    if not changesets:
        return ChangeSet()
    if len(changesets) == 1:
        return ChangeSet(rows=decode(changesets[0], tables))
    make: Callable[[], apsw.ChangesetBuilder] = apsw.ChangesetBuilder  # its constructor has no annotations
    builder = make()
    for changeset in changesets:
        builder.add(changeset)
    return ChangeSet(rows=decode(builder.output(), tables))


def apart(update: RowChange, row: Mapping[str, Any]) -> tuple[RowChange, RowChange]:
    """What an update really is, where `row` (as it is now) has the number of a row that was deleted before."""
    deleted = RowChange(table=update.table, op="delete", key=update.key, old={**row, **update.old})
    return deleted, RowChange(table=update.table, op="insert", key=update.key, new=dict(row))


def decode(changeset: bytes, tables: Mapping[str, TableInfo]) -> tuple[RowChange, ...]:
    """The rows of one SQLite changeset, sorted."""
    return in_order(_row(change, tables[change.name]) for change in apsw.Changeset.iter(changeset))


def in_order(changes: Iterable[RowChange]) -> tuple[RowChange, ...]:
    """The changes as a ChangeSet has them: by table, key and operation."""
    return tuple(sorted(changes, key=_place))


def check_texts(changeset: bytes) -> None:
    """Raise UnicodeDecodeError if a text in an SQLite changeset is no valid UTF-8: SQL can make such texts, and
    nothing could read the world any more."""
    try:
        # Texts lie between bytes below 0x80, so the whole is valid only if each of them is; the reverse does not hold.
        changeset.decode()
    except UnicodeDecodeError:
        for change in apsw.Changeset.iter(changeset):
            _ = change.old, change.new


def _row(change: apsw.TableChange, table: TableInfo) -> RowChange:
    columns = table.stored
    operation = _OPERATIONS[change.opcode]
    old = _given(columns, change.old)
    new = _given(columns, change.new)
    key_from = new if operation == "insert" else old
    key = {name: key_from[name] for name in table.primary_key}
    if operation == "update":
        old = {name: value for name, value in old.items() if name in new}
    return RowChange(table=table.name, op=operation, key=key, old=old, new=new)


def _given(columns: Iterable[str], values: Sequence[Any] | None) -> dict[str, Any]:
    if values is None:
        return {}
    return {name: value for name, value in zip(columns, values, strict=True) if value is not apsw.no_change}


def _place(change: RowChange) -> tuple[str, tuple[tuple[int, Any], ...], str]:
    return change.table, tuple(_rank(value) for value in change.key.values()), change.op


def _rank(value: Any) -> tuple[int, Any]:
    """SQLite's order of values: NULL, numbers, texts, blobs."""
    if value is None:
        return 0, 0
    if isinstance(value, int | float):
        return 1, value
    if isinstance(value, str):
        return 2, value
    return 3, value
