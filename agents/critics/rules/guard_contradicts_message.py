"""A guard that lets pass what its message refuses.

Stands for negated guards and swapped sides: `status <> 'confirmed'` with "… is not confirmed", NOT EXISTS with
not_found, `:starts_at < :now` with "… is in the past", `seats > party` with "seats 4, not 6". The phrases are in
`..reading.refusals`; a guard that none of them fits is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Finding, Require
from ...tester.anatomy import Anatomy
from ...tester.conditions import literal_text
from ...tester.trees import ColumnPlace, assignments
from ..reading.base import Context, again, finding
from ..reading.refusals import contradiction

KIND = "guard_contradicts_message"


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        if query.kind == "require" and isinstance(query.step, Require):
            names = context.anatomy.names[query.tool]
            sets = _sets(context.anatomy, query.tool)
            reason = contradiction(query, query.step.error, names, context.anatomy.tables, sets)
            if reason is not None:
                message = f"{query.tool}: the guard refuses with {query.step.error.message!r}, but {reason}."
                yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _sets(anatomy: Anatomy, tool: str) -> dict[ColumnPlace, frozenset[str]]:
    """The texts that a tool writes, by column."""
    found: dict[ColumnPlace, frozenset[str]] = {}
    for query in anatomy.queries[tool]:
        for table, column, value in assignments(query.tree) if query.kind == "do" else ():
            text = literal_text(value)
            if text is not None:
                place = ColumnPlace(table, column)
                found[place] = found.get(place, frozenset()) | {text}
    return found
