"""Other ways to the same end pass: calls in another order, reads added, one write done in two, other random codes,
other values of free columns, other ids of new rows, and every path that a search or a solver found. A path that passes
and ends in another state than gold makes the task disputed: it is up to a reader which of the two is right."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import GateResult
from ..base import AuditContext, Trial, shortest
from ..end_states import end_states
from ..found_ways import found_ways
from ..other_ways import other_ways
from ..trajectories import trajectories


def gate(context: AuditContext) -> GateResult:
    tried = list(alternatives(context))
    rejected = [trial.shown for trial, passed in tried if not passed]
    elsewhere = [trial.shown for trial in context.once(other_ways).elsewhere]
    if rejected or elsewhere:
        parts = [f"{len(rejected)} of {len(tried)} ways to the same end are rejected"] if rejected else []
        parts += [f"{len(elsewhere)} other ends pass"] if elsewhere else []
        return GateResult(
            gate="alternatives",
            status="failed",
            message="; ".join(parts),
            evidence=shortest(elsewhere) or shortest(rejected),
        )
    searched = context.once(found_ways).spent
    message = f"{len(tried)} ways to the same end pass; {searched} calls searched for others"
    return GateResult(gate="alternatives", status="passed", message=message)


def alternatives(context: AuditContext) -> Iterator[tuple[Trial, bool]]:
    """Ways to the same end, and whether they pass. Edited states are judged without what was submitted."""
    for trial in (*context.once(trajectories).same, *context.once(other_ways).same):
        yield trial, trial.judgement.passed
    for trial in context.once(end_states).same:
        yield trial, trial.judgement.state_passed
