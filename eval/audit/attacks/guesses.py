"""Answers of an answer's form, guessed from values at hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ....environments.answer_matching.dates import read_moment
from ....environments.answer_matching.numbers import read_number
from ....environments.models import Answer
from ....environments.models.answers import ScalarKind

_LONGEST = 3


def guessed_answer(answer: Answer, values: Sequence[Any], lists: Sequence[list[Any]], random: Random) -> Any:
    """An answer that fits the form: scalars out of `values`, lists out of `lists`; None where there is none."""
    kinds: dict[str, ScalarKind] = {"text": "text", "number": "number", "date": "date"}
    if answer.kind == "object":
        return {name: _scalar(answer, kind, values, random) for name, kind in answer.fields.items()}
    if answer.kind == "rows":
        return [{name: _scalar(answer, kind, values, random) for name, kind in answer.columns.items()}]
    if answer.kind in ("list", "set"):
        fitting = [kept for one in lists if (kept := [value for value in one if fits(answer.of, value)])]
        if fitting:
            return random.choice(fitting)
        return [_scalar(answer, answer.of, values, random) for _ in range(random.randint(1, _LONGEST))]
    if answer.kind == "choice":
        return random.choice(answer.options)
    return _scalar(answer, kinds[answer.kind], values, random) if answer.kind in kinds else None


def fits(kind: ScalarKind, value: Any) -> bool:
    """Whether a value has the form that an answer of this kind wants."""
    if isinstance(value, bool):
        return False
    if kind == "number":
        return isinstance(value, int | float) and read_number(value) is not None
    if kind == "date":
        return isinstance(value, str) and value[:1].isdigit() and read_moment(value) is not None
    return isinstance(value, str)


def _scalar(answer: Answer, kind: ScalarKind, values: Sequence[Any], random: Random) -> Any:
    if kind == "choice" and answer.options:
        return random.choice(answer.options)
    fitting = [value for value in values if fits(kind, value)]
    return random.choice(fitting) if fitting else None
