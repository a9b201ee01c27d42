"""What a repair or an evolution leaves with a task for whoever writes its verifier next, in `Task.plan`."""

from __future__ import annotations

from typing import Any

from ....environments.models import Task
from .drafts import VerifierDraft

_PLACE = "verifier_notes"


def with_notes(task: Task, *, verifier: VerifierDraft | None = None, rejected: str = "") -> Task:
    """The task with a verifier to try first, and with why the last one was rejected. What another kind of writer
    planned no longer holds and is dropped."""
    notes: dict[str, Any] = {}
    if verifier is not None:
        notes["verifier"] = verifier.model_dump(mode="json")
    if rejected:
        notes["rejected"] = rejected
    return task.model_copy(update={"plan": {_PLACE: notes} if notes else {}})


def without_notes(task: Task) -> Task:
    return task.model_copy(update={"plan": {name: part for name, part in task.plan.items() if name != _PLACE}})


def notes_of(task: Task) -> dict[str, Any]:
    found = task.plan.get(_PLACE)
    return found if isinstance(found, dict) else {}


def rejected_of(task: Task) -> str:
    return str(notes_of(task).get("rejected", ""))
