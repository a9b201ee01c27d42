"""Columns that a verifier leaves to the solver though the task does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .base import AuditContext
from .language import Wording

_SHORTEST = 3
"""Letters of a text, and digits of a number that is said as one: shorter ones are said by chance."""


def misplaced_freedom(context: AuditContext) -> Iterator[dict[str, Any]]:
    """Free columns that gold leaves as they are in every row, and those whose value the instruction says.

    What gold does not set there is nothing to choose: a solver who changes it does what nobody asked for.
    """
    wording = Wording(context.said, context.environment.spec.clock)
    for table, columns in sorted(context.task.verifier.free.items()):
        for column in columns:
            problem = _problem(context, wording, table, column)
            if problem:
                yield {"free": f"{table}.{column}", "problem": problem}


def _problem(context: AuditContext, wording: Wording, table: str, column: str) -> str:
    rows = [change.new for change in context.gold.changes.rows if change.table == table and column in change.new]
    if not rows:
        return f"{table}.{column} is free, though gold sets it in no row"
    said = next((row[column] for row in rows if _tells(row[column]) and wording.says(row[column])), None)
    return "" if said is None else f"{table}.{column} is free, though the instruction says {said!r}"


def _tells(value: Any) -> bool:
    return value is not None and not isinstance(value, bytes) and len(str(value)) >= _SHORTEST
