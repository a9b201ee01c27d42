"""A verifier that does not look at all that was asked for: one requirement is missing, or more may change."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Allow, Task
from ....environments.package import Environment
from ..base import TaskChange


class VerifierWeak:
    kind = "verifier_weak"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        verifier, where = task.verifier, f"tasks.{task.id}.verifier"
        several = len(verifier.require) > 1 or verifier.answer.kind != "none"
        for index, check in enumerate(verifier.require if several else ()):
            left = (*verifier.require[:index], *verifier.require[index + 1 :])
            changed = verifier.model_copy(update={"require": left})
            yield TaskChange(where, f"no longer requires: {check.name}", _with(task, changed))
        for index, allow in enumerate(verifier.allow):
            wider = _wider(allow, environment)
            if wider is not None:
                changed = verifier.model_copy(
                    update={"allow": (*verifier.allow[:index], wider, *verifier.allow[index + 1 :])}
                )
                yield TaskChange(where, f"lets more of {allow.table} change", _with(task, changed))


def _with(task: Task, verifier: object) -> Task:
    return task.model_copy(update={"verifier": verifier})


def _wider(allow: Allow, environment: Environment) -> Allow | None:
    """The same permission for every column of the row, or for more rows; None if it cannot grow."""
    if allow.key is not None:
        info = environment.tables()[allow.table]
        columns = tuple(column.name for column in info.columns if not column.key and not column.generated)
        return allow.model_copy(update={"columns": columns}) if set(columns) > set(allow.columns) else None
    limit = allow.insert or allow.delete
    assert limit is not None
    grown = limit.model_copy(update={"max": limit.max + 3})
    return allow.model_copy(update={"insert": grown} if allow.insert is not None else {"delete": grown})
