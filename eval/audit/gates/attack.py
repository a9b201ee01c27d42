"""Attackers do not get a pass without the work: within a stated budget of calls none passes in another end than
gold's, and those that take their chances pass no more often than in one case of twenty. Another end in which the goal
holds as well is no success of theirs, but makes the task disputed.

The rate of lucky passes is credibly above that if so many of so many would be seen with a probability below 0.01 at a
rate of 0.05 (exact binomial test, one-sided).
"""

from __future__ import annotations

from typing import Any

from ....environments.models import GateResult
from ...intervals import binomial_tail
from ..attacks.running import TriedAttack, attacks, count_of
from ..base import AuditContext, shortest

MOST_LUCKY = 0.05
_DOUBT = 0.01


def gate(context: AuditContext) -> GateResult:
    found = context.once(attacks)
    count = count_of(found)
    told = (
        f"{count.passed} of {count.total} attacks succeed, {count.lucky} of {count.chances} guesses are lucky"
        f" ({', '.join(found.attackers)}; {count.calls} calls)"
    )
    others = found.of("elsewhere")
    told += f"; {len(others)} other ends pass" if others else ""
    lucky = found.of("lucky") if too_lucky(count.lucky, count.chances) else []
    if count.passed or others or lucky:
        evidence = _evidence(found.of("succeeded") or lucky or others)
        return GateResult(gate="attack", status="failed", message=told, evidence=evidence)
    return GateResult(gate="attack", status="passed", message=told)


def too_lucky(passes: int, n: int) -> bool:
    """Whether the rate of lucky passes is credibly above 0.05."""
    return passes > 0 and binomial_tail(passes, n, MOST_LUCKY) < _DOUBT


def _evidence(tried: list[TriedAttack]) -> tuple[dict[str, Any], ...]:
    return shortest(attack.trial.shown for attack in tried if attack.trial is not None)
