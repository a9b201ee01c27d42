"""Contract: what a tool writes, as SQLite's authorizer saw it, against what was declared before the SQL existed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ....environments.guard import Write
from ....environments.models import Finding, TableContract
from ....environments.plans import Plan
from ..base import GateContext, static_finding

NAME = "contract"


class Contract:
    """Triggers and foreign key actions count as the tool's writes."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        return [finding for plan in context.environment.plans.values() for finding in _compare(plan)]


class _Effect(NamedTuple):
    table: str
    op: str
    column: str | None

    def __str__(self) -> str:
        return f"{self.op}s {self.table}" + (f".{self.column}" if self.column else "")


def written(plan: Plan) -> frozenset[Write]:
    """Every write that a call of the tool may make."""
    return frozenset(write for statement in plan.statements for write in statement.writes)


def _compare(plan: Plan) -> Iterator[Finding]:
    tool = plan.tool
    actual = {_Effect(write.table, write.op, write.column) for write in written(plan)}
    declared = set(_declared(tool.contract))
    place = f"tools.{tool.name}.contract"
    for effect in sorted(actual - declared, key=str):
        message = f"{tool.name} {effect}, which its contract does not say."
        yield static_finding(NAME, "undeclared_write", "major", _at(place, effect), message)
    for effect in sorted(declared - actual, key=str):
        message = f"{tool.name} never {effect}, though its contract says so."
        yield static_finding(NAME, "missing_write", "major", _at(place, effect), message)
    if tool.kind == "read" and actual:
        yield static_finding(NAME, "read_writes", "blocker", place, f"{tool.name} is a read tool and writes.")


def _at(place: str, effect: _Effect) -> str:
    return ".".join(filter(None, (place, effect.table, effect.op, effect.column)))


def _declared(contract: Mapping[str, TableContract]) -> Iterator[_Effect]:
    for table, allowed in contract.items():
        if allowed.insert:
            yield _Effect(table, "insert", None)
        if allowed.delete:
            yield _Effect(table, "delete", None)
        yield from (_Effect(table, "update", column) for column in allowed.update)
