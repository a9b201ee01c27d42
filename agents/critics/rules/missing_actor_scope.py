"""A tool that does not ask whose row it is, while its siblings do.

Stands for the forgotten ownership check: any customer reads any customer's booking. Rows have owners where other
tools' scopes or guards say so. Reads count only where the rows are private otherwise too, since much may be read
that only its owner may change. A call by one actor for another's row that gets through is the proof; a write without
one is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Expectation, Finding, Probe
from ....environments.resolution import ResolvedTool
from ...tester.crossing import Gap, foreign_key, reads_are_private, unguarded
from ..reading.base import Context, finding

KIND = "missing_actor_scope"


def check(context: Context) -> Iterator[Finding]:
    for tool in context.anatomy.tools.values():
        for gap in unguarded(context.anatomy, tool):
            if tool.kind == "write" or reads_are_private(context.anatomy, gap.owner):
                yield from _check(context, tool, gap)


def _check(context: Context, tool: ResolvedTool, gap: Gap) -> Iterator[Finding]:
    probe = next(filter(None, (_cross(context, tool, gap, actor_index) for actor_index in range(4))), None)
    if probe is None and tool.kind == "read":
        return
    guarded = ", ".join(gap.owner.guarded)
    message = f"{tool.name} lets a {gap.owner.role} use any row of {gap.owner.table}; {guarded} ask whose it is."
    yield finding(KIND, "blocker", f"tools.{tool.name}.params.{gap.param}", message, probe=probe)


def _cross(context: Context, tool: ResolvedTool, gap: Gap, index: int) -> Probe | None:
    actors = context.trials.actors[gap.owner.role]
    if index >= len(actors):
        return None
    key = foreign_key(context.anatomy, f"{gap.owner.table}.{gap.column}", gap.owner.where, actors[index])
    if key is None:
        return None
    fixed = {gap.param: [key] if gap.listed else key}
    touched = tool.kind == "read"
    trial = context.trials.through(
        tool, actor=actors[index], fixed=fixed, accept=lambda done: touched or bool(done.changes)
    )
    if trial is None:
        return None
    return Probe(calls=(trial.step.probe_call(),), expect=(Expectation(fails=("forbidden", "not_found")),))
