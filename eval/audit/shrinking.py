"""The shortest way to see a mutant survive: fewest calls, fewest rows edited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...environments.models import Submission
from .base import AuditContext, Trial
from .edits import Edit, EndState, EndStateEditor, RowEdit

Sent = tuple[str, dict[str, Any]]
"""A call and its arguments."""
T = TypeVar("T")

_MOST_RUNS = 200
"""Runs for one survivor; beyond them it is shown as short as it got."""


def shortest_calls(context: AuditContext, sent: Sequence[Sent], submission: Submission) -> dict[str, Any]:
    """The fewest of these calls that still end elsewhere than gold and are not rejected, with what is handed in.

    Reads go first, all together if that is possible; then each call that survival does not need.
    """
    runs = [0]

    def survives(calls: Sequence[Sent]) -> bool:
        runs[0] += 1
        return runs[0] <= _MOST_RUNS and _survives(context, calls, submission)

    calls = list(sent)
    writes = [call for call in calls if context.environment.writes(call[0])]
    if len(writes) < len(calls) and survives(writes):
        calls = writes
    return {
        "calls": [{"call": name, "args": args} for name, args in fewest(calls, survives)],
        "submit": submission.model_dump(mode="json", exclude_none=True),
    }


def smallest_edit(context: AuditContext, editor: EndStateEditor, edit: Edit) -> Edit:
    """The edit with no row and no column more than survival needs."""

    def survives(rows: Sequence[RowEdit]) -> bool:
        state = editor.apply(edit._replace(rows=tuple(rows)))
        return isinstance(state, EndState) and not _rejected(context, state, context.gold.submission)

    rows = fewest(edit.rows, survives)
    for place, row in enumerate(rows):
        if row.key is not None and row.values:
            rows[place] = row._replace(values=_fewest_columns(rows, place, survives))
    return edit._replace(rows=tuple(rows))


def fewest(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> list[T]:
    """`items` without each that `holds` does not need, the last first, until none can go."""
    left = list(items)
    shorter = True
    while shorter:
        shorter = False
        for place in reversed(range(len(left))):
            without = [*left[:place], *left[place + 1 :]]
            if without and holds(without):
                left, shorter = without, True
    return left


def _fewest_columns(
    rows: Sequence[RowEdit], place: int, survives: Callable[[Sequence[RowEdit]], bool]
) -> dict[str, Any]:
    row = rows[place]

    def holds(values: Sequence[tuple[str, Any]]) -> bool:
        return survives([*rows[:place], row._replace(values=dict(values)), *rows[place + 1 :]])

    return dict(fewest(list((row.values or {}).items()), holds))


def _survives(context: AuditContext, calls: Sequence[Sent], submission: Submission) -> bool:
    state = context.played(calls)
    return state is not None and not _rejected(context, state, submission)


def _rejected(context: AuditContext, state: EndState, submission: Submission | None) -> bool:
    """Whether the verifier rejects an end; gold's own, which is no mutant, counts as rejected."""
    if state.signature == context.gold.signature and submission == context.gold.submission:
        return True
    return Trial({}, context.judge(state.image, state.changes, submission)).killed
