"""What stands in `Task.plan` of tasks that models write: who wrote it with which prompt, and what a repair or an
evolution leaves for whoever writes the verifier next."""

from __future__ import annotations

from typing import Any

from ....environments.models import Task
from ...llm import Chat
from ...llm.prompts import Prompt
from .drafts import VerifierDraft

_NOTES, _WRITTEN = "verifier_notes", "written"


def signed(task: Task, chat: Chat, prompt: Prompt) -> Task:
    """The task with the model that wrote it and the prompt, last. What another kind of writer planned no longer holds
    and is dropped."""
    written = {**_part(task, _WRITTEN), prompt.name: f"{chat.name} {prompt.hash}"}
    kept = {name: part for name, part in task.plan.items() if name == _NOTES}
    return task.model_copy(update={"plan": {**kept, _WRITTEN: written}})


def with_notes(task: Task, *, verifier: VerifierDraft | None = None, rejected: str = "") -> Task:
    """The task with a verifier to try first, and with why the last one was rejected."""
    notes: dict[str, Any] = {}
    if verifier is not None:
        notes["verifier"] = verifier.model_dump(mode="json")
    if rejected:
        notes["rejected"] = rejected
    return task.model_copy(update={"plan": {**task.plan, **({_NOTES: notes} if notes else {})}})


def without_notes(task: Task) -> Task:
    return task.model_copy(update={"plan": {name: part for name, part in task.plan.items() if name != _NOTES}})


def notes_of(task: Task) -> dict[str, Any]:
    return _part(task, _NOTES)


def rejected_of(task: Task) -> str:
    return str(notes_of(task).get("rejected", ""))


def _part(task: Task, name: str) -> dict[str, Any]:
    found = task.plan.get(name)
    return found if isinstance(found, dict) else {}
