"""Calls that failed, and a submission that says nothing of it."""

from __future__ import annotations

from ..base import Case, Judgement
from .reading import calls, not_met, status, writes


def every_call_failed(case: Case) -> Judgement | None:
    """Submitted as done, though no call ever succeeded."""
    made = calls(case)
    if status(case) != "done" or not made or any(call.result.ok for call in made):
        return None
    return not_met(f"Submitted as done, though all {len(made)} calls failed.", made[-1].step)


def last_write_failed(case: Case) -> Judgement | None:
    """The last write failed, and this tool never succeeded. One that has done its work may well refuse a second
    time, and what another tool wrote later may be the way round."""
    made = writes(case)
    if status(case) != "done" or not made or made[-1].result.ok:
        return None
    last = made[-1]
    if any(call.tool == last.tool and call.result.ok for call in made):
        return None
    why = last.result.error.message if last.result.error else "no reason given"
    return not_met(f"The last write, {last.tool}, failed and was not made good: {why}", last.step)
