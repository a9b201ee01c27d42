"""What rules read in a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ....environments.models import CallResult, RowChange, TraceEvent
from ....environments.states import comparison_of
from ..base import Case, Judgement


class Call(NamedTuple):
    """A tool call of a trace: `step` is its number there, from 1."""

    step: int
    tool: str
    args: Mapping[str, Any]
    result: CallResult
    changes: tuple[RowChange, ...]


def calls(case: Case) -> list[Call]:
    return [
        Call(step, event.tool or "", event.args or {}, event.result, event.changes)
        for step, event in enumerate(case.trace.events, 1)
        if event.kind == "call" and event.result is not None
    ]


def writes(case: Case) -> list[Call]:
    """Calls of tools that write, whether they succeeded or not."""
    return [call for call in calls(case) if case.environment.writes(call.tool)]


def counted(case: Case) -> list[RowChange]:
    """The rows that differ in the end: log entries, clocks and codes aside."""
    return comparison_of(case.environment).counted(case.changes)


def status(case: Case) -> str | None:
    """As what it was handed in; None where a limit came first. Stopping counts as done."""
    if case.trace.submission is not None:
        return case.trace.submission.status
    return "done" if case.trace.limit is None else None


def submit_step(case: Case) -> int | None:
    """The number of the last submission in the trace."""
    events: Iterator[tuple[int, TraceEvent]] = enumerate(case.trace.events, 1)
    return max((step for step, event in events if event.kind == "submit"), default=None)


def named_rows(case: Case, call: Call) -> Iterator[tuple[str, Any]]:
    """Table and key of the rows that a call's arguments name."""
    for name, param in case.environment.params(call.tool).items():
        inner = param.items if param.items is not None else param
        if inner.ref is None or name not in call.args:
            continue
        given = call.args[name]
        for key in given if isinstance(given, list) else [given]:
            yield inner.ref.partition(".")[0], key


def means(case: Case, table: str, key: Any) -> bool:
    """Whether a phrase of the request means this row."""
    return any(meant.table == table and key in meant.keys for meant in case.meant)


def not_met(reason: str, step: int | None) -> Judgement:
    return Judgement(ruling="not_met", reason=reason, step=step)
