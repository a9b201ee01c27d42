"""What an audit says of a verifier."""

from __future__ import annotations

from typing import Any, Literal

from .environment import Slug
from .frozen import Frozen

Grade = Literal["sound", "broken", "disputed", "weak", "strict", "ambiguous"]
GateStatus = Literal["passed", "failed", "not_run"]
GateName = Literal[
    "gold",
    "goal",
    "null",
    "prefix",
    "end_state_mutants",
    "trajectory_mutants",
    "alternatives",
    "grounding",
    "leak",
    "permission",
    "twins",
    "attack",
]


class GateResult(Frozen):
    """One gate. `evidence` holds the shortest reproducers of what failed, at most five."""

    gate: GateName
    status: GateStatus
    message: str = ""
    evidence: tuple[dict[str, Any], ...] = ()


class MutantCount(Frozen):
    """Mutants that counted (`total`), those the verifier rejected (`killed`), how many were dropped, by rule, and how
    many more bounds on their number left `untried`."""

    killed: int = 0
    total: int = 0
    dropped: dict[str, int] = {}
    untried: int = 0


class DroppedMutant(Frozen):
    """A mutant that did not count: its kind, the column, row or step that it changes, the rule that dropped it."""

    kind: str
    place: str
    rule: str


class Tally(Frozen):
    passed: int = 0
    total: int = 0


class AttackCount(Tally):
    """Attacks that succeeded (`passed`) of those tried (`total`); of those that took their `chances`, how many passed
    by luck; and the tool calls made."""

    lucky: int = 0
    chances: int = 0
    calls: int = 0


class AuditReport(Frozen):
    """The audit of one task version. `not_run` gates are listed among `gates`, never hidden."""

    environment: str
    task: Slug
    version: str
    grade: Grade
    gates: tuple[GateResult, ...]
    null_passes: int = 0
    mutants: MutantCount = MutantCount()
    dropped_mutants: tuple[DroppedMutant, ...] = ()
    """All that `mutants.dropped` counts, where they were asked for."""
    alternatives: Tally = Tally()
    attacks: AttackCount = AttackCount()

    def gate(self, name: GateName) -> GateResult:
        return next(result for result in self.gates if result.gate == name)
