"""From a draft of a verifier to the verifier, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from ....environments.models import Allow, RowChange, RowLimit, Task, Verifier
from ....environments.package import Environment
from ....environments.states import comparison_of
from .building import Misshapen, literal, problems_of
from .drafts import AllowDraft, CheckDraft, VerifierDraft

_LITERAL_KEYS = 200


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
                "submit": task.verifier.submit,
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
        few = len(gone) <= _LITERAL_KEYS
        where = " OR ".join(f"({_by_key(change.key)})" for change in gone) if few else None
        yield Allow(table=table, delete=RowLimit(max=len(gone), where=where))


def _by_key(key: dict[str, Any]) -> str:
    return " AND ".join(f"{column} = {literal(value)}" for column, value in key.items())


def verifier_draft_of(verifier: Verifier) -> VerifierDraft | None:
    """The verifier as a draft; None where it asks for nothing of the state, or for more than a draft can."""
    try:
        return VerifierDraft(
            bind=verifier.bind,
            require=[CheckDraft(name=check.name[:80], sql=check.sql) for check in verifier.require],
            allow=[_allow_draft(found.model_dump()) for found in verifier.allow],
            free={table: list(columns) for table, columns in verifier.free.items()},
        )
    except ValidationError:
        return None


def _allow_draft(found: dict[str, object]) -> AllowDraft:
    limits = {kind: limit for kind in ("insert", "delete") if isinstance(limit := found[kind], dict)}
    where = next((limit["where"] for limit in limits.values()), None)
    most = {f"{kind}_max": limit["max"] for kind, limit in limits.items()}
    return AllowDraft.model_validate(
        {"table": found["table"], "key": found["key"], "columns": found["columns"], "where": where, **most}
    )
