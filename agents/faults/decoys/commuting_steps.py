"""Two writes in the other order, neither of which sees what the other does."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Do
from ....environments.package import Environment
from ....environments.plans import Plan
from ....environments.resolution import ResolvedTool
from ....environments.statements import Statement
from ...tester.queries import bound_names
from ...tester.trees import parse
from ..base import DecoyChange


class CommutingSteps:
    kind = "commuting_steps"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for plan in environment.plans.values():
            tool = plan.tool
            for index, (first, second) in enumerate(zip(tool.steps, tool.steps[1:], strict=False)):
                if isinstance(first, Do) and isinstance(second, Do) and _commute(first, second, plan):
                    yield DecoyChange(
                        f"tools.{tool.name}.steps.{index}", "writes swapped", tool=_swapped(tool, index)
                    )


def _swapped(tool: ResolvedTool, index: int) -> ResolvedTool:
    steps = list(tool.steps)
    steps[index], steps[index + 1] = steps[index + 1], steps[index]
    return tool.model_copy(update={"steps": tuple(steps)})


def _commute(first: Do, second: Do, plan: Plan) -> bool:
    """Whether neither statement reads or writes what the other writes, and neither needs a name of the other's."""
    one, other = _statement(first, plan), _statement(second, plan)
    tree, later = parse(first.do), parse(second.do)
    if one is None or other is None or tree is None or later is None:
        return False
    named = {name for name in (first.as_, second.as_) if name is not None}
    needed = bound_names(tree) | bound_names(later)
    return not (named & needed or _disturbs(one, other) or _disturbs(other, one))


def _statement(step: Do, plan: Plan) -> Statement | None:
    return next((statement for statement in plan.statements if statement.sql == step.do), None)


def _disturbs(one: Statement, other: Statement) -> bool:
    """Whether `other` reads or writes what `one` writes: of updates the columns, else the table. That a foreign key
    finds its row is no reading of what is updated in it."""
    written = {write.table for write in other.writes}
    read = {table for table, _ in other.reads}
    return any(
        write.table in written
        or ((write.table, write.column) in other.reads if write.op == "update" else write.table in read)
        for write in one.writes
    )
