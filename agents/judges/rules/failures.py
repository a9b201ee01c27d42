"""Calls that failed, and a submission that says nothing of it."""

from __future__ import annotations

from ..base import Case, Judgement
from .reading import calls, means, named_rows, not_met, status, writes


def every_call_failed(case: Case) -> Judgement | None:
    """Submitted as done, though no call ever succeeded."""
    made = calls(case)
    if status(case) != "done" or not made or any(call.result.ok for call in made):
        return None
    return not_met(f"Submitted as done, though all {len(made)} calls failed.", made[-1].step)


def last_write_failed(case: Case) -> Judgement | None:
    """The last write failed, on a row that the request is about, and its tool never succeeded.

    A tool that has done its work may well refuse a second time, what another tool wrote later may be the way round,
    and a failed try on a row that nobody spoke of does no harm.
    """
    made = writes(case)
    if status(case) != "done" or not made or made[-1].result.ok:
        return None
    last, succeeded = made[-1], {call.tool for call in made if call.result.ok}
    meant = any(means(case, table, key) for table, key in named_rows(case, last))
    if last.tool in succeeded or not meant:
        return None
    why = last.result.error.message if last.result.error else "no reason given"
    return not_met(f"The last write, {last.tool}, failed and was not made good: {why}", last.step)
