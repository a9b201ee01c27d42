"""Edits of gold's end state that ≈ does not see, or that the solver may choose: no verifier must see them either."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...environments.models import RowChange
from .base import AuditContext
from .edits import Edit, RowEdit
from .siblings import Siblings

_RENUMBERED_BY = 1000
_LOG_ROWS = 2


def same_state_edits(context: AuditContext, siblings: Siblings) -> Iterator[Edit]:
    """Other clock times and codes, other values of free columns, other ids of new rows, other log entries."""
    comparison, free = context.comparison, context.task.verifier.free
    changes = [change for change in context.gold.changes.rows if change.op != "delete"]
    for change in changes:
        if change.table in comparison.logs:
            continue
        for kind, columns in (
            ("clock or code", comparison.ignored[change.table]),
            ("free", frozenset(free.get(change.table, ()))),
        ):
            for column in sorted(columns & set(change.new)):
                for value in siblings.values(change.table, column, [change.new[column]], 2 if kind == "free" else 1):
                    yield Edit(f"{kind} column set", (RowEdit(change.table, change.key, {column: value}),))
    yield from _renumbered(context, changes)
    yield from _logs(context, changes)


def _renumbered(context: AuditContext, changes: list[RowChange]) -> Iterator[Edit]:
    """All new rows under other ids, with what points at them."""
    tables = context.environment.tables()
    moved: dict[tuple[str, Any], Any] = {}
    for change in changes:
        info = tables[change.table]
        keys = [info.by_name[name] for name in info.primary_key]
        if change.op == "insert" and len(keys) == 1 and keys[0].type == "INTEGER" and keys[0].references is None:
            moved[f"{change.table}.{keys[0].name}", change.key[keys[0].name]] = (
                change.key[keys[0].name] + _RENUMBERED_BY
            )
    rows = []
    for change in changes:
        info = tables[change.table]
        values = {}
        for column, value in change.new.items():
            target = info.by_name[column].references or f"{change.table}.{column}"
            if (target, value) in moved:
                values[column] = moved[target, value]
        if values:
            rows.append(RowEdit(change.table, change.key, values))
    if rows:
        yield Edit("new rows renumbered", tuple(rows), deferred=True)


def _logs(context: AuditContext, changes: list[RowChange]) -> Iterator[Edit]:
    """New log entries gone."""
    entries = [change for change in changes if change.table in context.comparison.logs and change.op == "insert"]
    for entry in entries[:_LOG_ROWS]:
        yield Edit("log entry gone", (RowEdit(entry.table, entry.key, None),))
