"""Steps that cannot be taken back: deletions, and statuses that no tool leads out of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..gold import ExecutedCall, GoldRun
from ..keeping import kept_beside
from ..plans import Change, Condition, Plan
from .sql_shape import parse

if TYPE_CHECKING:
    from sqlglot import exp

    from ..kit import Kit
    from ..package import Environment

Place = tuple[str, str]
"""A table and a column."""


def irreversible_calls(environment: Environment, run: GoldRun) -> int:
    """How many calls deleted a row, or brought a status to a value that no tool leads out of."""
    return sum(_ends_something(environment, call) for call in run.steps)


def _ends_something(environment: Environment, call: ExecutedCall) -> bool:
    counted = [change for change in call.changes if change.table not in environment.spec.columns.log]
    if any(change.op == "delete" for change in counted):
        return True
    updates = [change for change in counted if change.op == "update"]
    return any(
        value in terminal_values(environment.kit).get((change.table, column), ())
        for change in updates
        for column, value in change.new.items()
    )


@kept_beside
def terminal_values(kit: Kit) -> Mapping[Place, frozenset[str]]:
    """For each status (a column whose CHECK lists its values), the values that no tool changes to another.

    Read off the tools' SQL: a tool that updates the column leads out of the values that its conditions ask for,
    out of all but those that they rule out, or out of any if they name none.
    """
    found: dict[Place, frozenset[str]] = {}
    for place, values in _statuses(kit).items():
        left = {value for plan in kit.plans.values() for value in _left_by(plan, place, values)}
        found[place] = values - left
    return found


def _statuses(kit: Kit) -> dict[Place, frozenset[str]]:
    from sqlglot import exp

    found: dict[Place, frozenset[str]] = {}
    for table in kit.built.tables.values():
        tree = parse(table.sql)
        for test in tree.find_all(exp.In) if tree else ():
            texts = {value.name for value in test.expressions if isinstance(value, exp.Literal) and value.is_string}
            if isinstance(test.this, exp.Column) and texts:
                found[table.name, test.this.name] = frozenset(texts)
    return found


def _left_by(plan: Plan, place: Place, values: frozenset[str]) -> frozenset[str]:
    """The values of a status that a tool can change to another."""
    updates = [
        step.statement
        for step in plan.steps
        if isinstance(step, Change) and any((write.table, write.column) == place for write in step.statement.writes)
    ]
    if not updates:
        return frozenset()
    guards = [step.statement.sql for step in plan.steps if isinstance(step, Condition)]
    wanted: set[str] = set()
    refused: set[str] = set()
    for sql in (*guards, *(statement.sql for statement in updates)):
        for value, positive in _compared(sql):
            if value in values:
                (wanted if positive else refused).add(value)
    return frozenset(wanted) if wanted else values - refused


def _compared(sql: str) -> Iterator[tuple[str, bool]]:
    """Texts that conditions compare something with, and whether they ask for them or rule them out."""
    from sqlglot import exp

    tree = parse(sql)
    where = tree.args.get("where") if isinstance(tree, exp.Update) else tree
    for text in where.find_all(exp.Literal) if where else ():
        test = text.find_ancestor(exp.EQ, exp.NEQ, exp.In, exp.Is)
        if text.is_string and test is not None:
            yield text.name, isinstance(test, exp.NEQ) == _negated(test)


def _negated(test: exp.Expr) -> bool:
    """Whether an odd number of NOTs stands above a condition."""
    from sqlglot import exp

    odd, node = False, test.parent
    while node is not None:
        odd ^= isinstance(node, exp.Not)
        node = node.parent
    return odd
