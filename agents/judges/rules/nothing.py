"""Attempts that leave the world as it was."""

from __future__ import annotations

from ..base import Case, Judgement
from .reading import counted, not_met, status, submit_step


def nothing_changed(case: Case) -> Judgement | None:
    """Submitted as done, with nothing to tell and nothing done: no request asks for that."""
    if status(case) != "done" or case.answer != "none" or counted(case):
        return None
    return not_met(
        "Submitted as done, though nothing differs in the end and no answer is asked for.", submit_step(case)
    )


def nothing_created(case: Case) -> Judgement | None:
    """The request names something to be made, and no row is new."""
    if status(case) != "done" or not case.created:
        return None
    if any(change.op == "insert" for change in counted(case)):
        return None
    return not_met(f"Nothing was made, though {case.created[0]!r} is asked for.", submit_step(case))
