"""From drafts to the format's models, and back for showing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from ....environments.canonical import sha256
from ....environments.models import (
    Actor,
    SubmitStep,
    Task,
    TaskLineage,
    Verifier,
)
from ....environments.package import Environment
from .drafts import AnswerDraft, GroundingDraft, StepDraft, TaskDraft

_LONGEST_STEM = 60


class Misshapen(Exception):
    """A draft that makes no task or verifier. Control flow: `problems` go back to the model."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def task_of(
    draft: TaskDraft,
    environment: Environment,
    *,
    actor: Actor,
    setup: tuple[str, ...] = (),
    lineage: TaskLineage | None = None,
) -> Task:
    """The task of a draft, its verifier holding the answer alone. Raises Misshapen."""
    try:
        return Task.model_validate(
            {
                "id": task_id(draft, environment, actor, setup),
                "instruction": draft.instruction.strip(),
                "actor": actor,
                "setup": setup,
                "goal": {"text": draft.goal_text, "sql": draft.goal_sql},
                "grounding": {item.phrase: _grounding(item) for item in draft.grounding},
                "gold": [*(_step(step) for step in draft.gold), _submit(draft.answer)],
                "verifier": {"answer": _answer(draft.answer)},
                "lineage": lineage or TaskLineage(split=environment.spec.lineage.split),
            }
        )
    except ValidationError as error:
        raise Misshapen(problems_of(error)) from error


def task_id(draft: TaskDraft, environment: Environment, actor: Actor, setup: tuple[str, ...]) -> str:
    """The title in ASCII, and a hash of what is asked of whom, where."""
    plain = unicodedata.normalize("NFKD", draft.title).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_STEM].strip("-") or "task"
    return f"{stem}-{sha256([environment.hash, actor, draft.model_dump(mode='json'), list(setup)])[:8]}"


def problems_of(error: ValidationError) -> list[str]:
    return [
        f"{'.'.join(map(str, found['loc'])) or 'the whole'}: {str(found['msg']).removeprefix('Value error, ')}"
        for found in error.errors(include_url=False)[:8]
    ]


def _grounding(item: GroundingDraft) -> dict[str, Any]:
    return item.model_dump(exclude={"phrase"}, exclude_none=True)


def _step(step: StepDraft) -> dict[str, Any]:
    if (step.call is None) == (step.pick is None):
        raise Misshapen(["gold: each step has exactly one of `call` and `pick`"])
    if step.call is not None:
        return step.model_dump(include={"call", "args", "as_", "each"}, exclude_none=True, by_alias=True)
    if step.sql is None:
        raise Misshapen([f"gold: the pick {step.pick!r} has no sql"])
    return {"pick": step.pick, "sql": step.sql, "many": step.many}


def _submit(answer: AnswerDraft | None) -> dict[str, Any]:
    return {"submit": {"status": "done", **({"answer": answer.gold} if answer else {})}}


def _answer(answer: AnswerDraft | None) -> dict[str, Any]:
    return answer.model_dump(exclude={"gold"}) if answer else {}


def draft_of(task: Task) -> TaskDraft:
    """The draft that makes this task: what a prompt shows of it. An answer that is written out has no SQL yet. Raises
    Misshapen for a task that no draft makes (too long, too many steps)."""
    last = task.gold[-1] if task.gold else None
    shown: dict[str, Any] | None = None
    if task.verifier.answer.kind != "none":
        shown = task.verifier.answer.model_dump(exclude={"value"})
        shown["sql"] = task.verifier.answer.sql or ""
        shown["gold"] = last.submit.answer if isinstance(last, SubmitStep) else None
    grounding = [{"phrase": phrase, **one.model_dump(exclude_none=True)} for phrase, one in task.grounding.items()]
    steps = [step for step in task.gold if not isinstance(step, SubmitStep)]
    try:
        return TaskDraft.model_validate(
            {
                "title": re.sub(r"-[0-9a-f]{8}$", "", task.id).replace("-", " ")[:80],
                "instruction": task.instruction,
                "grounding": grounding,
                "goal_text": task.goal.text,
                "goal_sql": task.goal.sql,
                "gold": [step.model_dump(mode="json", by_alias=True, exclude_defaults=True) for step in steps],
                "answer": shown,
            }
        )
    except ValidationError as error:
        raise Misshapen(problems_of(error)) from error


def literal(value: Any) -> str:
    """A cell as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


def without_verifier(task: Task) -> Task:
    """The task as it is proposed: of the verifier the answer alone."""
    return task.model_copy(update={"verifier": Verifier(answer=task.verifier.answer)})
