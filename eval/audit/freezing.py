"""A sound verifier is frozen: it carries its own hash, so that any later change shows."""

from __future__ import annotations

from ...environments.canonical import sha256
from ...environments.errors import InputError
from ...environments.models import AuditReport, Task, Verifier


def verifier_hash(verifier: Verifier) -> str:
    """`sha256:…` of a verifier, whatever it says of being frozen."""
    return (
        f"sha256:{sha256(verifier.model_dump(mode='json', by_alias=True, exclude_defaults=True, exclude={'frozen'}))}"
    )


def freeze(task: Task, report: AuditReport) -> Task:
    """The task with its verifier frozen if `report` found it sound with gold run, else not frozen.

    Raises InputError for another task's report.
    """
    if report.task != task.id:
        raise InputError(f"The report is of task {report.task!r}, not of {task.id!r}.", remedy="Audit this task.")
    sound = report.grade == "sound" and report.gate("gold").status == "passed"
    frozen = verifier_hash(task.verifier) if sound else None
    return task.model_copy(update={"verifier": task.verifier.model_copy(update={"frozen": frozen})})


def is_frozen_valid(task: Task) -> bool:
    """Whether the verifier is frozen and has not changed since."""
    return task.verifier.frozen == verifier_hash(task.verifier)
