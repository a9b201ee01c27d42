"""Attempts that did not come to an end of their own."""

from __future__ import annotations

from ..base import Case, Judgement
from .reading import not_met


def limit_hit(case: Case) -> Judgement | None:
    """A limit came before anything was handed in."""
    if case.trace.limit is None or case.trace.submission is not None:
        return None
    return not_met(
        f"A limit ({case.trace.limit}) came before anything was submitted.", len(case.trace.events) or None
    )
