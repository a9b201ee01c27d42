"""The blueprint that a design comes to, and what of it the coder reads besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....environments.models import Frozen, Provenance
from ...base import Blueprint, Brief
from .contract_checks import contract_of
from .drafts import ContractDraft, RequirementsDraft, SchemaDraft
from .specification import schema_sql_of, spec_of, table_names

KIND = "prompted"


class PlannedGroup(Frozen):
    """Tools that are written together, and what they are for."""

    name: str
    tools: tuple[str, ...]
    requirements: tuple[str, ...] = ()


class PlannedPart(Frozen):
    """Tables that are filled together."""

    name: str
    purpose: str = ""
    tables: tuple[str, ...]


class PlannedWant(Frozen):
    """A requirement, as far as it is known."""

    want: str
    actor: str = ""
    says: str = ""
    after: str = ""
    refused_by: int | None = None


class PromptedDesign(Frozen):
    """`Blueprint.design` of a prompted architect. `results`: tool → columns of its result; `words`: the glossary in
    words; `wants`: requirements by id."""

    kind: str = KIND
    groups: tuple[PlannedGroup, ...] = ()
    parts: tuple[PlannedPart, ...] = ()
    results: dict[str, tuple[str, ...]] = {}
    words: dict[str, str] = {}
    conditions: tuple[str, ...] = ()
    actors: dict[str, str] = {}
    wants: dict[str, PlannedWant] = {}


def blueprint_of(
    brief: Brief,
    plan: RequirementsDraft,
    schemas: Sequence[SchemaDraft],
    contracts: Mapping[str, Sequence[ContractDraft]],
    *,
    model: str,
    prompts: Mapping[str, str],
) -> Blueprint:
    design = design_of(plan, schemas, contracts)
    provenance = Provenance(agents={"architect": model}, prompts=dict(prompts), design={"kind": KIND})
    return Blueprint(
        spec=spec_of(brief, plan, schemas, requirements=plan.requirements, provenance=provenance),
        schema_sql=schema_sql_of(schemas),
        contracts=tuple(contract_of(tool) for tools in contracts.values() for tool in tools),
        design=design.model_dump(mode="json"),
    )


def design_of(
    plan: RequirementsDraft, schemas: Sequence[SchemaDraft], contracts: Mapping[str, Sequence[ContractDraft]]
) -> PromptedDesign:
    requirements = {group.name: group.requirements for group in plan.groups}
    kept = {want.id for want in plan.requirements}
    return PromptedDesign(
        groups=tuple(
            PlannedGroup(
                name=name,
                tools=tuple(tool.name for tool in tools),
                requirements=tuple(id_ for id_ in requirements[name] if id_ in kept),
            )
            for name, tools in contracts.items()
            if tools
        ),
        parts=_parts(plan, schemas),
        results={tool.name: tool.result for tools in contracts.values() for tool in tools},
        words={word.word: word.meaning for word in plan.glossary},
        conditions=plan.conditions,
        actors={actor.role: actor.who for actor in plan.actors},
        wants={
            want.id: PlannedWant(
                want=want.want, actor=want.actor, says=want.says, after=want.after, refused_by=want.refused_by
            )
            for want in plan.requirements
        },
    )


def _parts(plan: RequirementsDraft, schemas: Sequence[SchemaDraft]) -> tuple[PlannedPart, ...]:
    """Each schema's tables, under the plan's name for the part that they were planned in."""
    planned = {table.name: part for part in plan.parts for table in part.tables}
    found = []
    for schema in schemas:
        names = tuple(table_names((schema,)))
        part = next(planned[name] for name in names if name in planned)
        found.append(PlannedPart(name=part.name, purpose=part.purpose, tables=names))
    return tuple(found)
