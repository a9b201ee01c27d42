"""Gold's end state edited in ways that the audit does not: two columns at once, values exchanged between two rows, half
of the rows undone, a row for somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import combinations, islice
from typing import Any

from ...environments.models import RowChange
from ..audit.edits import Edit, EndStateEditor, RowEdit, undone
from ..audit.siblings import Siblings
from .base import BREAKS, Candidate, End, Scene

_MOST = 4
_Edits = Iterator[tuple[str, tuple[RowEdit, ...]]]


def two_columns(scene: Scene) -> Iterator[Candidate]:
    """Two columns of a changed row set to other rows' values at once."""
    return _edited(scene, _two_columns)


def rows_exchanged(scene: Scene) -> Iterator[Candidate]:
    """A value exchanged between two rows that gold changed in one table."""
    return _edited(scene, _rows_exchanged)


def half_undone(scene: Scene) -> Iterator[Candidate]:
    """Half of the changed rows, of all tables, as they were."""
    return _edited(scene, _half_undone)


def for_somebody_else(scene: Scene) -> Iterator[Candidate]:
    """A changed row that points at other rows in two ways at once, as if done for somebody else."""
    return _edited(scene, _for_somebody_else)


def _edited(scene: Scene, edits: Callable[[Scene, Siblings, list[RowChange]], _Edits]) -> Iterator[Candidate]:
    context = scene.context
    changes = [row for row in context.gold.changes.rows if row.table not in context.comparison.logs]
    free = scene.task.verifier.free
    with closing(EndStateEditor(scene.environment, context.end, context.reader, free)) as editor:
        siblings = Siblings(editor, scene.environment.tables(), scene.random(edits.__name__))
        for change, rows in islice(edits(scene, siblings, changes), 3 * _MOST):
            state = editor.apply(Edit(change, rows, deferred=True))
            how = {"gold's end with": [row.shown() for row in rows]}
            end = BREAKS[state] if isinstance(state, str) else End(state, scene.submission)
            yield Candidate("wrong", change, how, end)


def _two_columns(scene: Scene, siblings: Siblings, changes: list[RowChange]) -> _Edits:
    for change in changes:
        others = _other_values(scene, siblings, change, change.new)
        pairs = list(combinations(sorted(others), 2))
        for pair in scene.random("pairs").sample(pairs, min(_MOST, len(pairs))):
            values = {name: others[name] for name in pair}
            yield f"{' and '.join(pair)} set at once", (RowEdit(change.table, change.key, values),)


def _rows_exchanged(scene: Scene, _: Siblings, changes: list[RowChange]) -> _Edits:
    for one, other in combinations(changes, 2):
        if one.table != other.table or one.op == "delete" or other.op == "delete":
            continue
        for name in _counted(scene, one):
            if name in other.new and one.new[name] != other.new[name]:
                rows = (
                    RowEdit(one.table, one.key, {name: other.new[name]}),
                    RowEdit(other.table, other.key, {name: one.new[name]}),
                )
                yield f"{name} exchanged between two rows", rows


def _half_undone(scene: Scene, _: Siblings, changes: list[RowChange]) -> _Edits:
    # New rows first: they may have the number of one that comes back.
    rows = sorted(map(undone, changes), key=lambda row: row.values is not None)
    half = len(rows) // 2
    if half:
        yield "the first half of the rows as they were", tuple(rows[:half])
        yield "the second half of the rows as they were", tuple(rows[half:])


def _for_somebody_else(scene: Scene, siblings: Siblings, changes: list[RowChange]) -> _Edits:
    for change in changes:
        info = scene.environment.tables()[change.table]
        pointing = {name: value for name, value in change.new.items() if info.by_name[name].references is not None}
        others = _other_values(scene, siblings, change, pointing)
        if len(others) > 1:
            yield f"{', '.join(sorted(others))} of another", (RowEdit(change.table, change.key, others),)


def _other_values(scene: Scene, siblings: Siblings, change: RowChange, columns: dict[str, Any]) -> dict[str, Any]:
    """Another value for each counted column of these."""
    found: dict[str, Any] = {}
    for name in _counted(scene, change):
        if name in columns and change.op != "delete":
            unlike = [change.new[name], *([change.old[name]] if name in change.old else ())]
            found.update((name, value) for value in siblings.values(change.table, name, unlike, 1))
    return found


def _counted(scene: Scene, change: RowChange) -> list[str]:
    """The columns of a changed row whose values count."""
    hidden = {
        *scene.context.comparison.ignored[change.table],
        *scene.task.verifier.free.get(change.table, ()),
        *(scene.environment.tables()[change.table].primary_key if change.op == "insert" else ()),
    }
    return [name for name in change.new if name not in hidden]
