"""Mistakes fail: gold with an argument swapped for a sibling, another row picked, a call dropped, repeated, or out of
order. Only those count in which all calls succeed and the state, or the answer, is another one."""

from __future__ import annotations

from ....environments.models import GateResult
from ..base import AuditContext, shortest
from ..trajectories import trajectories


def gate(context: AuditContext) -> GateResult:
    mistakes = context.once(trajectories).mistakes
    survivors = [trial.shown for trial in mistakes if not trial.killed]
    if survivors:
        return GateResult(
            gate="trajectory_mutants",
            status="failed",
            message=f"{len(survivors)} of {len(mistakes)} mistakes pass",
            evidence=shortest(survivors),
        )
    return GateResult(gate="trajectory_mutants", status="passed", message=f"{len(mistakes)} mistakes fail")
