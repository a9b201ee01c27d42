"""An environment written in one hand: shared pieces put in, SQL printed alike, contracts as the tools write.

For benches: planted copies and clean ones must not be told apart by how they are written, or by a contract that still
speaks of the write that was taken out.
"""

from __future__ import annotations

from ...environments.models import TableContract, Tool, ToolsFile
from ...environments.package import Environment
from ...environments.plans import Plan
from ..tester.trees import parse, render
from .slots import slots


def canonical(environment: Environment) -> Environment:
    """The same environment without tasks, in canonical form. Rendering changes no meaning; a statement that the
    printer cannot read stays as it is."""
    tools = tuple(_canonical(plan) for plan in environment.plans.values())
    return Environment.build(
        spec=environment.spec,
        schema_sql=environment.schema_sql,
        seed_sql=environment.seed_sql,
        tools=ToolsFile(tools=tools),
    )


def _canonical(plan: Plan) -> Tool:
    tool = plan.tool
    for index in range(len(list(slots(tool)))):
        slot = list(slots(tool))[index]
        tree = parse(slot.sql)
        tool = slot.put(render(tree)) if tree is not None else tool
    written = tool.model_copy(update={"contract": contract_of(plan)})
    return Tool.model_validate(written.model_dump(by_alias=True, exclude_unset=True, include=set(Tool.model_fields)))


def contract_of(plan: Plan) -> dict[str, TableContract]:
    """What a tool may write, as SQLite sees it."""
    writes = sorted(
        {write for statement in plan.statements for write in statement.writes},
        key=lambda write: (write.table, write.op, write.column or ""),
    )
    found: dict[str, TableContract] = {}
    for table in dict.fromkeys(write.table for write in writes):
        here = [write for write in writes if write.table == table]
        found[table] = TableContract(
            insert=any(write.op == "insert" for write in here),
            update=tuple(write.column for write in here if write.op == "update" and write.column is not None),
            delete=any(write.op == "delete" for write in here),
        )
    return found
