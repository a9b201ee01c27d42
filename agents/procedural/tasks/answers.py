"""Answers that a task asks for: one question's, or several in one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ....environments.models import Answer
from .sqltext import STANDING, in_schema, inline
from .workflows import Workflow

SCALARS: tuple[Literal["text", "number", "date", "choice"], ...] = ("text", "number", "date", "choice")


class PartAnswer(NamedTuple):
    """A question's expected answer, and where gold holds it."""

    name: str
    answer: Answer
    reference: str


def part_answer(workflow: Workflow, env: Mapping[str, Any], names: Mapping[str, str], schema: str) -> PartAnswer:
    """The answer to one question. Gold ends in the pick that computes it, in its column `answer`."""
    assert workflow.answer is not None
    answer = workflow.answer.model_copy(
        update={"sql": inline(in_schema(workflow.answer.sql or "", schema), env, keep=STANDING)}
    )
    pick = names[workflow.gold[-1]["pick"]]
    reference = f"${pick}.answer" if answer.kind in SCALARS else f"${pick}"
    return PartAnswer(workflow.name, answer, reference)


def combined_answer(parts: Sequence[PartAnswer]) -> Answer:
    """None asked: kind none. One: itself. Several scalars: an object with a field each."""
    if not parts:
        return Answer()
    if len(parts) == 1:
        return parts[0].answer
    columns = ", ".join(f"({part.answer.sql}) AS {part.name}" for part in parts)
    return Answer(
        kind="object",
        sql=f"SELECT {columns}",
        fields={part.name: kind for part in parts for kind in SCALARS if part.answer.kind == kind},
        describe="; ".join(f"{part.name}: {part.answer.describe}" for part in parts),
        tolerance=max(part.answer.tolerance for part in parts),
    )


def submitted_answer(parts: Sequence[PartAnswer]) -> dict[str, Any]:
    """What gold hands in: `{"answer": …}`, or nothing."""
    if not parts:
        return {}
    if len(parts) == 1:
        return {"answer": parts[0].reference}
    return {"answer": {part.name: part.reference for part in parts}}
