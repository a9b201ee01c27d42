"""What the tools of an environment can do to its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...environments.guard import Write
from ...environments.package import Environment
from ...environments.plans import Change


class ToolWrites(NamedTuple):
    """Tables that some tool adds rows to or deletes from, and the columns that some tool updates, by table.

    From the compiled statements, triggers included, joined with what contracts declare.
    """

    inserts: frozenset[str]
    deletes: frozenset[str]
    updates: Mapping[str, frozenset[str]]


def tool_writes(environment: Environment) -> ToolWrites:
    writes = set(_compiled(environment)) | set(_declared(environment))
    tables = {write.table for write in writes}
    return ToolWrites(
        inserts=frozenset(write.table for write in writes if write.op == "insert"),
        deletes=frozenset(write.table for write in writes if write.op == "delete"),
        updates={
            table: frozenset(write.column for write in writes if write.table == table and write.column is not None)
            for table in tables
        },
    )


def _compiled(environment: Environment) -> Iterator[Write]:
    for plan in environment.plans.values():
        for step in plan.steps:
            if isinstance(step, Change):
                yield from step.statement.writes


def _declared(environment: Environment) -> Iterator[Write]:
    for tool in environment.tools.values():
        for table, contract in tool.contract.items():
            if contract.insert:
                yield Write(table, "insert")
            if contract.delete:
                yield Write(table, "delete")
            yield from (Write(table, "update", column) for column in contract.update)
