"""What is measured as one: a task, or a refusal with its legitimate twin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..environments.models import Task


class Unit(NamedTuple):
    """A task; or a refusal and the task in which the same request is legitimate. What is known of a unit goes by the
    version of `task`."""

    task: Task
    twin: Task | None = None


def units(tasks: Iterable[Task]) -> list[Unit]:
    """The units of `tasks` in their order: a twin stands beside the refusal that names it, wherever it was. A refusal
    whose twin is not among them, or is a refusal itself, stands alone; no task is left out."""
    given = list(tasks)
    by_id = {task.id: task for task in given}
    pairs: dict[str, Task] = {}
    beside: set[str] = set()
    for task in given:
        twin = by_id.get(task.twin or "")
        if twin is not None and twin.id != task.id and task.id not in beside and twin.id not in pairs:
            pairs[task.id] = twin
            beside.add(twin.id)
    return [Unit(task, pairs.get(task.id)) for task in given if task.id not in beside]
