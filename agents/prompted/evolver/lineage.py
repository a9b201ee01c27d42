"""Where a child comes from."""

from __future__ import annotations

from ....environments.models import Task, TaskLineage


def lineage_of(task: Task, operator: str) -> TaskLineage:
    """The lineage of a child of `task`."""
    return TaskLineage(
        parent=task.id, operator=operator, generation=task.lineage.generation + 1, split=task.lineage.split
    )
