"""A change that leaves no entry in the log in which the other changes leave one.

Stands for forgotten effects: booking and moving are recorded, cancelling is not. The log tables are those that
environment.yaml names. A doubt always: some changes are too small to be recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Finding
from ...tester.anatomy import Anatomy
from ..reading.base import Context, finding

KIND = "log_forgotten"
_ENOUGH = 2


def check(context: Context) -> Iterator[Finding]:
    anatomy = context.anatomy
    for log in anatomy.spec.columns.log:
        watched = {reference.table for reference in anatomy.tables[log].references}
        for table in sorted(watched):
            writing = {name for name in anatomy.tools if table in _written(anatomy, name)}
            recording = {name for name in writing if log in _written(anatomy, name)}
            silent = sorted(writing - recording)
            if len(recording) >= _ENOUGH and len(silent) == 1:
                message = (
                    f"{silent[0]} changes {table} without an entry in {log}; {', '.join(sorted(recording))} make one."
                )
                yield finding(KIND, "minor", f"tools.{silent[0]}", message)


def _written(anatomy: Anatomy, tool: str) -> frozenset[str]:
    return frozenset(
        write.table for statement in anatomy.environment.plans[tool].statements for write in statement.writes
    )
