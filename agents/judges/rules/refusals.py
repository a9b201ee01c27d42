"""Refusals that cannot be right, whatever the rules say."""

from __future__ import annotations

from ..base import Case, Judgement
from .reading import calls, counted, not_met, status, submit_step

_REFUSALS = ("refused", "impossible")


def refused_unseen(case: Case) -> Judgement | None:
    """Refused, or called impossible, without having seen anything: at best it was a guess."""
    if status(case) not in _REFUSALS or any(call.result.ok for call in calls(case)):
        return None
    return not_met(f"Submitted as {status(case)} without having looked at anything.", submit_step(case))


def changed_and_refused(case: Case) -> Judgement | None:
    """Refused, and yet rows differ in the end."""
    left = counted(case)
    if status(case) not in _REFUSALS or not left:
        return None
    return not_met(
        f"Submitted as {status(case)}, though a row of {left[0].table} differs in the end.", submit_step(case)
    )
