"""From which field of a result gold's answer was taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...environments.gold import GoldRun
from ...environments.models import SubmitStep, Task
from .guessing import Source


def answer_source(task: Task, run: GoldRun) -> Source:
    """`guest_name` for `$largest.guest_name`, or for a picked row or list with this one column; by field for an
    object. None where the answer is written out."""
    step = task.gold[-1]
    answer = step.submit.answer if isinstance(step, SubmitStep) else None
    if isinstance(answer, Mapping):
        fields = {name: field for name, value in answer.items() if (field := _field(value, run))}
        return fields or None
    return _field(answer, run)


def _field(value: Any, run: GoldRun) -> str | None:
    if not isinstance(value, str) or not value.startswith("$") or value.startswith("$$"):
        return None
    name, _, path = value[1:].partition(".")
    if path:
        return path.rpartition(".")[2]
    picked = run.picks.get(name)
    row = picked[0] if isinstance(picked, list) and picked else picked
    return next(iter(row)) if isinstance(row, Mapping) and len(row) == 1 else None
