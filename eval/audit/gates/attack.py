"""Attackers do not get a pass without the work: within a stated budget of calls none passes in another end than
gold's, and those that take their chances pass no more often than in one case of twenty.

The rate of lucky passes is credibly above that if so many of so many would be seen with a probability below 0.01 at a
rate of 0.05 (exact binomial test, one-sided).
"""

from __future__ import annotations

from math import comb
from typing import Any

from ....environments.models import GateResult
from ..attacks.running import Attacks, TriedAttack, attacks
from ..base import AuditContext, shortest

MOST_LUCKY = 0.05
_DOUBT = 0.01


def gate(context: AuditContext) -> GateResult:
    found = context.once(attacks)
    succeeded, lucky, chances = found.of("succeeded"), found.of("lucky"), chances_taken(found)
    told = (
        f"{len(succeeded)} of {len(found.tried)} attacks succeed, {len(lucky)} of {chances} guesses are lucky"
        f" ({', '.join(found.attackers)}; {found.calls} calls)"
    )
    if succeeded or too_lucky(len(lucky), chances):
        return GateResult(gate="attack", status="failed", message=told, evidence=_evidence(succeeded or lucky))
    return GateResult(gate="attack", status="passed", message=told)


def chances_taken(found: Attacks) -> int:
    """How many attempts took their chances and came to an end: the `n` of the rate of lucky passes."""
    return sum(attack.attempt.lucky and attack.trial is not None for attack in found.tried)


def too_lucky(passes: int, n: int) -> bool:
    """Whether the rate of lucky passes is credibly above 0.05."""
    tail = sum(comb(n, k) * MOST_LUCKY**k * (1 - MOST_LUCKY) ** (n - k) for k in range(passes, n + 1))
    return passes > 0 and tail < _DOUBT


def _evidence(tried: list[TriedAttack]) -> tuple[dict[str, Any], ...]:
    return shortest(attack.trial.shown for attack in tried if attack.trial is not None)
