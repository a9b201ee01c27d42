"""Gold's end as other rollouts would have left it: later, with other random codes, new rows numbered the other way
round. Only what ≈ does not see is edited, all of it at once; the audit edits one thing at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from ...environments.models import RowChange
from ..audit.edits import Edit, EndStateEditor, RowEdit
from ..audit.siblings import near_values
from .base import BREAKS, Candidate, End, Scene

_STEP = 37
"""Between the numbers of new rows."""


def as_left_later(scene: Scene) -> Iterator[Candidate]:
    """Clock and code columns moved; then new rows under other numbers too, the last of a table with the least."""
    context = scene.context
    with closing(EndStateEditor(scene.environment, context.end, context.reader, scene.task.verifier.free)) as editor:
        for change, rows in (
            ("later, with other codes", _edits(scene, {})),
            ("later, with new rows numbered the other way round", _edits(scene, _renumbered(scene))),
        ):
            if rows:
                state = editor.apply(Edit(change, rows, deferred=True))
                end = BREAKS[state] if isinstance(state, str) else End(state, scene.submission)
                yield Candidate("right", change, {"gold's end with": [row.sql for row in rows]}, end)


def _edits(scene: Scene, moved: dict[tuple[str, Any], Any]) -> tuple[RowEdit, ...]:
    """`moved`: (`table.column`, number) → another number."""
    tables, rows = scene.environment.tables(), list[RowEdit]()
    for change in _left(scene):
        values: dict[str, Any] = {}
        for column, value in change.new.items():
            target = tables[change.table].by_name[column].references or f"{change.table}.{column}"
            if column in scene.context.comparison.ignored[change.table]:
                values |= dict.fromkeys([column], next(iter(near_values(value)), value))
            elif (target, value) in moved:
                values[column] = moved[target, value]
        if values:
            rows.append(RowEdit(change.table, change.key, values))
    return tuple(rows)


def _renumbered(scene: Scene) -> dict[tuple[str, Any], Any]:
    found: dict[tuple[str, Any], Any] = {}
    for table, info in scene.environment.tables().items():
        new = [
            one.key[info.number] for one in _left(scene) if one.table == table and one.op == "insert" and info.number
        ]
        found |= {
            (f"{table}.{info.number}", old): max(new) + _STEP * (len(new) - place) for place, old in enumerate(new)
        }
    return found


def _left(scene: Scene) -> list[RowChange]:
    return [change for change in scene.gold.changes.rows if change.op != "delete"]
