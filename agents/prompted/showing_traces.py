"""What happened in an episode, for a prompt: the transcript, and the rows that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...environments.models import RowChange, Trace, TraceEvent
from .clipping import clipped, lines_within, one_line, value_text

_LONGEST_RESULT = 4_000
_SHORTEST_RESULT = 60
_LONGEST_ROW = 1_200


def transcript_text(trace: Trace, most_chars: int = 16_000) -> str:
    """Messages, calls with results and changed rows, and the submission, numbered from 1. Results are shortened, all
    alike, until it fits."""
    longest = _LONGEST_RESULT
    while True:
        lines = [line for number, event in enumerate(trace.events, 1) for line in _event(number, event, longest)]
        if trace.limit:
            lines.append(f"The episode ended at a limit: {trace.limit}.")
        if sum(len(line) + 1 for line in lines) <= most_chars or longest <= _SHORTEST_RESULT:
            return lines_within(lines, most_chars)
        longest //= 2


def _event(number: int, event: TraceEvent, longest: int) -> Iterator[str]:
    if event.kind == "message":
        yield f"{number}. {event.role}: {clipped(one_line(event.text or ''), longest)}"
        return
    args = ", ".join(f"{name}={value_text(value, longest)}" for name, value in (event.args or {}).items())
    result = value_text(event.result.payload(), longest) if event.result else "(nothing)"
    yield f"{number}. {event.tool}({args}) -> {result}"
    yield from (f"   {clipped(change_text(change), longest)}" for change in event.changes)


def changes_text(changes: Sequence[RowChange], most_chars: int = 16_000) -> str:
    """One line a changed row: for updates the changed columns, old and new; otherwise the whole row."""
    return lines_within((clipped(change_text(change), _LONGEST_ROW) for change in changes), most_chars) or "(none)"


def change_text(change: RowChange) -> str:
    key = ", ".join(f"{name}={value_text(value)}" for name, value in change.key.items())
    if change.op == "update":
        columns = ", ".join(
            f"{name}: {value_text(change.old.get(name), 300)} -> {value_text(value, 300)}"
            for name, value in change.new.items()
        )
        return f"{change.table} {key} updated: {columns}"
    row = ", ".join(f"{name}={value_text(value, 300)}" for name, value in (change.new or change.old).items())
    return f"{change.table} {key} {'inserted' if change.op == 'insert' else 'deleted'}: {row}"
