"""Answers that nothing the solver saw can have led to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ....environments.functions import fold
from ....environments.values import leaves
from ..base import Case, Judgement
from .reading import calls, not_met, status, submit_step


def no_answer(case: Case) -> Judgement | None:
    """Submitted as done without the answer that `submit` asks for."""
    if status(case) != "done" or case.answer == "none" or _answer(case) is not None:
        return None
    return not_met("No answer was given, though one is asked for.", submit_step(case))


def answered_unseen(case: Case) -> Judgement | None:
    """Answered without a single result: at best it was a guess."""
    if status(case) != "done" or _answer(case) is None or any(call.result.ok for call in calls(case)):
        return None
    return not_met("Answered without having looked at anything.", submit_step(case))


def answer_made_up(case: Case) -> Judgement | None:
    """All names in the answer occur in no result and nowhere in what was asked.

    Numbers, dates and anything with a digit may have been worked out, and so may a choice: they are not held against
    it.
    """
    names = list(_texts(_answer(case)))
    if status(case) != "done" or case.answer == "choice" or not names or any(map(_worked_out, names)):
        return None
    seen = str(fold("\n".join([case.prompt, *_results(case)])))
    if any(str(fold(name)) in seen for name in names):
        return None
    return not_met(f"The answer ({', '.join(names[:3])}) occurs in no result.", submit_step(case))


def _answer(case: Case) -> Any:
    return case.trace.submission.answer if case.trace.submission else None


def _texts(value: Any) -> Iterator[str]:
    """The texts anywhere in an answer; a number counts as its digits."""
    return (str(leaf).strip() for leaf in leaves(value))


def _worked_out(text: str) -> bool:
    return not text or any(char.isdigit() for char in text) or text in ("True", "False")


def _results(case: Case) -> Iterator[str]:
    for call in calls(case):
        yield json.dumps(call.result.payload(), ensure_ascii=False, default=repr)
