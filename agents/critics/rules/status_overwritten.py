"""A status written without looking at the one it replaces.

Stands for illegal transitions: shipping what was cancelled, cancelling twice. Flagged when the tool reads the status
nowhere, neither in a guard nor in the WHERE of the write, while another tool that writes it does. A tool that takes
the same call twice is the proof; without one it is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Expectation, Finding, Probe
from ...tester.anatomy import Anatomy
from ...tester.columns import is_status
from ...tester.conditions import literal_text
from ...tester.deciding import deciding_columns
from ...tester.queries import Query
from ...tester.trees import Assignment, ColumnPlace, assignments
from ..reading.base import Context, finding

KIND = "status_overwritten"


def check(context: Context) -> Iterator[Finding]:
    writers = [(query, found) for query in context.anatomy.all_queries() for found in _written(query)]
    reading = {
        (query.tool, found.table, found.column)
        for query, found in writers
        if _reads(context.anatomy, query.tool, found)
    }
    for query, found in writers:
        others = sorted(
            tool for tool, *place in reading if place == [found.table, found.column] and tool != query.tool
        )
        if others and (query.tool, found.table, found.column) not in reading:
            place = f"{found.table}.{found.column}"
            message = f"{query.tool} sets {place} without looking at it; {', '.join(others)} look first."
            yield finding(KIND, "major", query.where, message, probe=_twice(context, query, found), sql=query.sql)


def _written(query: Query) -> Iterator[Assignment]:
    if query.kind == "do" and isinstance(query.tree, exp.Update):
        yield from (found for found in assignments(query.tree) if is_status(found.column))


def _reads(anatomy: Anatomy, tool: str, found: Assignment) -> bool:
    """Whether any guard, scope or write depends on the column, through look-ups too."""
    return ColumnPlace(found.table, found.column) in deciding_columns(anatomy, tool)


def _twice(context: Context, query: Query, found: Assignment) -> Probe | None:
    """The same call two times, where it sets a fixed status: the second must be refused."""
    if literal_text(found.value) is None:
        return None
    tool = context.anatomy.tools[query.tool]
    trial = context.trials.through(
        tool, accept=lambda done: any(change.table == found.table for change in done.changes)
    )
    if trial is None:
        return None
    call = trial.step.probe_call()
    refused = Expectation(fails=("conflict", "not_found", "invalid_argument", "forbidden"))
    return Probe(calls=(call, call), expect=(refused,))
