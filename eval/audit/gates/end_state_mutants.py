"""Gold's end state with one thing wrong fails, and what may be any way is the solver's choice indeed."""

from __future__ import annotations

from ....environments.models import GateResult
from ..base import AuditContext, shortest
from ..end_states import end_states
from ..free_columns import misplaced_freedom


def gate(context: AuditContext) -> GateResult:
    mutants = context.once(end_states).mutants
    survivors = [trial.shown for trial in mutants if not trial.killed]
    freedom = list(misplaced_freedom(context))
    if freedom:
        return GateResult(
            gate="end_state_mutants",
            status="failed",
            message=freedom[0]["problem"],
            evidence=shortest([*freedom, *survivors]),
        )
    if survivors:
        return GateResult(
            gate="end_state_mutants",
            status="failed",
            message=f"{len(survivors)} of {len(mutants)} edited end states pass",
            evidence=shortest(survivors),
        )
    return GateResult(gate="end_state_mutants", status="passed", message=f"{len(mutants)} edited end states fail")
