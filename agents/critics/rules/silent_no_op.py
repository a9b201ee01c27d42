"""A write that touches nothing and says ok.

Stands for updates, deletes and INSERT … SELECTs of something that does not exist, or is not in the state that their
WHERE asks for: no `rows`, no guard, no reference check. A successful write call that changes no row is the proof;
without one nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Expectation, Finding, Probe
from ....environments.models.findings import Severity
from ....environments.resolution import ResolvedTool
from ...tester.queries import Query
from ...tester.trees import conjuncts, place_of
from ..reading.base import Context, finding

KIND = "silent_no_op"
_TRIES = 480
"""Few calls meet the one row for which a WHERE does not hold; few tools have such a WHERE and nothing that counts."""


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        writes = [query for query in context.anatomy.queries[name] if query.kind == "do"]
        if writes and all(_may_miss(query) for query in writes):
            yield from _check(context, tool, writes[0])


def _may_miss(query: Query) -> bool:
    """Whether a write may touch no row without anybody noticing."""
    rows = getattr(query.step, "rows", None)
    if rows is not None:
        return False
    return not (isinstance(query.tree, exp.Insert) and isinstance(query.tree.expression, exp.Values))


def _check(context: Context, tool: ResolvedTool, query: Query) -> Iterator[Finding]:
    missing = {
        name: 999_983
        for name, param in tool.params.items()
        if param.type == "integer" and param.ref is None and name.endswith("_id") and name in tool.required
    }
    trial = context.trials.through(tool, fixed=missing, accept=lambda done: not done.changes, tries=_TRIES)
    if trial is not None:
        message = f"{tool.name} says ok and changes nothing: no guard asks whether there is anything to change."
        refused = Expectation(fails=("conflict", "not_found", "invalid_argument", "forbidden"))
        probe = Probe(calls=(trial.step.probe_call(),), expect=(refused,))
        severity: Severity = "major" if _by_key(context, query) else "minor"
        yield finding(KIND, severity, query.where, message, probe=probe, sql=query.sql)


def _by_key(context: Context, query: Query) -> bool:
    """Whether the write is meant for one row, named by its key; for a clean-up of many, none is a fine number."""
    where = query.tree.args.get("where") if query.tree is not None else None
    for condition in conjuncts(where):
        if isinstance(condition, exp.EQ):
            place = place_of(condition.this, context.anatomy.tables)
            if place is not None and context.anatomy.tables[place.table].primary_key == (place.column,):
                return True
    return False
