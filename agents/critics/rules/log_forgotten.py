"""A change that leaves no entry in the log in which the other changes leave one.

Stands for forgotten effects: booking and moving are recorded, cancelling is not. The log tables are those that
environment.yaml names. A doubt, since some changes are too small to be recorded; but certain where the log knows a kind
of entry that is called like the tool, and the tool makes no entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Finding
from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values
from ...tester.words import stem, stems_in
from ..reading.base import Context, again, finding

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
            for name in silent if len(recording) >= _ENOUGH else ():
                kind = _own_kind(anatomy, log, name)
                message = (
                    f"{name} changes {table} without an entry in {log}; {', '.join(sorted(recording))} make one."
                )
                if kind is not None:
                    message += f" {log} has a kind {kind!r} for it."
                    yield finding(KIND, "major", f"tools.{name}", message, probe=again(KIND))
                elif len(silent) == 1:
                    yield finding(KIND, "minor", f"tools.{name}", message)


def _own_kind(anatomy: Anatomy, log: str, tool: str) -> str | None:
    """The kind of entry that is called like the tool."""
    verb = stem(tool.split("_")[0])
    values = (
        value for column in anatomy.tables[log].columns for value in checked_values(anatomy.tables[log], column.name)
    )
    return next((value for value in values if verb in stems_in(value)), None)


def _written(anatomy: Anatomy, tool: str) -> frozenset[str]:
    return frozenset(
        write.table for statement in anatomy.environment.plans[tool].statements for write in statement.writes
    )
