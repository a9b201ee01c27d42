"""An environment written in one hand: shared pieces put in, SQL and seed printed alike, contracts as the tools write,
nothing said of where it comes from.

For benches: planted copies and clean ones must not be told apart by how they are written, or by a contract that still
speaks of the write that was taken out.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...environments.models import (
    EnvironmentSpec,
    Lineage,
    Provenance,
    TableContract,
    Task,
    TaskLineage,
    Tool,
    ToolsFile,
)
from ...environments.package import Environment
from ...environments.plans import Plan
from ...environments.seed_file import seed_from_database
from ..tester.trees import parse, render
from .slots import slots

STEM = "world"
"""What the ids of canonical environments begin with."""


def canonical(environment: Environment, tasks: Iterable[Task] = ()) -> Environment:
    """The same environment in canonical form, with canonical `tasks` alone. Rendering changes no meaning; a statement
    that the printer cannot read stays as it is."""
    tools = tuple(_canonical(plan) for plan in environment.plans.values())
    spec = environment.spec
    return Environment.build(
        spec=canonical_spec(spec),
        schema_sql=environment.schema_sql,
        seed_sql=seed_from_database(environment.image, environment.schema_sql, spec.clock),
        tools=ToolsFile(tools=tools),
        tasks=[canonical_task(task) for task in tasks],
    )


def canonical_spec(spec: EnvironmentSpec) -> EnvironmentSpec:
    """Without id, lineage and provenance."""
    return spec.model_copy(update={"id": STEM, "lineage": Lineage(), "provenance": Provenance()})


def canonical_task(task: Task) -> Task:
    """Without its plan and lineage, its verifier not frozen."""
    verifier = task.verifier.model_copy(update={"frozen": None})
    return task.model_copy(update={"verifier": verifier, "plan": {}, "lineage": TaskLineage()})


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
