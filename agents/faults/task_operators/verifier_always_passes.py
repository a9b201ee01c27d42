"""A verifier that asks for nothing: every requirement is true of every state, and no answer is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Answer, Check, Task
from ....environments.package import Environment
from ..base import TaskChange


class VerifierAlwaysPasses:
    kind = "verifier_always_passes"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        verifier = task.verifier
        if not verifier.require and verifier.answer.kind == "none":
            return
        changed = verifier.model_copy(
            update={"bind": {}, "require": tuple(map(_emptied, verifier.require)), "answer": Answer()}
        )
        where = f"tasks.{task.id}.verifier"
        yield TaskChange(where, "asks for nothing", task.model_copy(update={"verifier": changed}))


def _emptied(check: Check) -> Check:
    """A check of the same name that counts the tables of the world."""
    return check.model_copy(update={"sql": "SELECT 1 = 1"})
