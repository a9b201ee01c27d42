"""From drafts to the format's models, and back for showing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from ....environments.canonical import sha256
from ....environments.models import (
    Actor,
    Allow,
    ExpectedSubmission,
    RowChange,
    RowLimit,
    SubmitStep,
    Task,
    TaskLineage,
    Verifier,
)
from ....environments.package import Environment
from ....environments.states import comparison_of
from .drafts import AllowDraft, AnswerDraft, CheckDraft, GroundingDraft, StepDraft, TaskDraft, VerifierDraft

_LONGEST_STEM = 60
_LITERAL_KEYS = 200


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
    """The draft that makes this task: what a prompt shows of it. Values that are written out become SQL."""
    last = task.gold[-1] if task.gold else None
    answer = task.verifier.answer
    shown: dict[str, Any] | None = None
    if answer.kind != "none":
        shown = answer.model_dump(exclude={"value"})
        shown["sql"] = answer.sql or ""
        shown["gold"] = last.submit.answer if isinstance(last, SubmitStep) else None
    return TaskDraft.model_validate(
        {
            "title": re.sub(r"-[0-9a-f]{8}$", "", task.id).replace("-", " ")[:80],
            "instruction": task.instruction[:1_500],
            "grounding": [
                {"phrase": phrase, **one.model_dump(exclude_none=True)} for phrase, one in task.grounding.items()
            ][:20],
            "goal_text": task.goal.text[:800],
            "goal_sql": task.goal.sql,
            "gold": [
                step.model_dump(mode="json", by_alias=True, exclude_defaults=True)
                for step in task.gold
                if not isinstance(step, SubmitStep)
            ],
            "answer": shown,
        }
    )


def verifier_of(draft: VerifierDraft, environment: Environment, task: Task, changes: Sequence[RowChange]) -> Verifier:
    """The verifier of a draft, with the task's answer; what may change is what gold changed, unless the draft says.
    Raises Misshapen."""
    try:
        allow = _allowed(environment, changes, draft) if draft.allow is None else map(_allow, draft.allow)
        return Verifier.model_validate(
            {
                "bind": draft.bind,
                "require": [check.model_dump() for check in draft.require],
                "allow": tuple(allow),
                "free": draft.free,
                "submit": ExpectedSubmission(),
                "answer": task.verifier.answer,
            }
        )
    except ValidationError as error:
        raise Misshapen(problems_of(error)) from error


def _allow(draft: AllowDraft) -> dict[str, Any]:
    found: dict[str, Any] = {"table": draft.table}
    if draft.key is not None:
        found |= {"key": draft.key, "columns": draft.columns}
    if draft.insert_max is not None:
        found["insert"] = {"max": draft.insert_max, "where": draft.where}
    if draft.delete_max is not None:
        found["delete"] = {"max": draft.delete_max, "where": draft.where}
    return found


def _allowed(environment: Environment, changes: Sequence[RowChange], draft: VerifierDraft) -> Iterator[Allow]:
    """Exactly what gold changed, as far as it counts."""
    counted = comparison_of(environment).counted(changes)
    for change in counted:
        columns = [name for name in change.new if name not in draft.free.get(change.table, ())]
        if change.op == "update" and columns:
            yield Allow(table=change.table, key=dict(change.key), columns=tuple(columns))
    for table in dict.fromkeys(change.table for change in counted if change.op == "insert"):
        count = sum(change.op == "insert" and change.table == table for change in counted)
        yield Allow(table=table, insert=RowLimit(max=count))
    for table in dict.fromkeys(change.table for change in counted if change.op == "delete"):
        gone = [change for change in counted if change.op == "delete" and change.table == table]
        where = " OR ".join(f"({_by_key(change.key)})" for change in gone[:_LITERAL_KEYS])
        yield Allow(table=table, delete=RowLimit(max=len(gone), where=where))


def _by_key(key: dict[str, Any]) -> str:
    return " AND ".join(f"{column} = {literal(value)}" for column, value in key.items())


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


def verifier_draft_of(verifier: Verifier) -> VerifierDraft | None:
    """The verifier as a draft; None where it asks for nothing of the state."""
    if not verifier.require:
        return None
    return VerifierDraft(
        bind=verifier.bind,
        require=[CheckDraft(name=check.name[:80], sql=check.sql) for check in verifier.require],
        allow=[_allow_draft(found.model_dump()) for found in verifier.allow],
        free={table: list(columns) for table, columns in verifier.free.items()},
    )


def _allow_draft(found: dict[str, object]) -> AllowDraft:
    limits = {kind: limit for kind in ("insert", "delete") if isinstance(limit := found[kind], dict)}
    where = next((limit["where"] for limit in limits.values()), None)
    most = {f"{kind}_max": limit["max"] for kind, limit in limits.items()}
    return AllowDraft.model_validate(
        {"table": found["table"], "key": found["key"], "columns": found["columns"], "where": where, **most}
    )
