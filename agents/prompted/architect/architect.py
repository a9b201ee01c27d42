"""The architect as a model: requirements, then the schema part by part, then contracts, all groups at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ....environments.models import EnvironmentSpec
from ...base import Blueprint, Brief
from ...llm.base import Chat
from ...llm.errors import Unusable
from ..asking import Asking, usable
from .blueprints import blueprint_of
from .contract_checks import ContractCheck
from .drafts import (
    ContractDraft,
    ContractsDraft,
    GroupPlan,
    RequirementsDraft,
    SchemaDraft,
    SettlementDraft,
)
from .leaving_out import possible_groups, remaining
from .merging import SettlementCheck, conflicts, settled, without_repeated
from .remembered import defect_lines, neighbours_lines
from .requirement_checks import requirement_problems
from .schema_checks import SchemaCheck
from .specification import schema_sql_of, spec_of, table_names
from .wanted import clock_of, moment_text, wanted

Contracts = dict[str, list[ContractDraft]]


class PromptedArchitect:
    """`Architect` by a model. A part or group that comes to nothing is left out, with the requirements that need it.

    Errors: Unusable when too little is left of what was planned; those of `Chat.ask`.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    async def design(self, brief: Brief) -> Blueprint:
        asking = Asking(self._chat, "architect", Path(__file__).parent, brief.seed)
        plan = await _requirements(asking, brief)
        schemas = await _schemas(asking, brief, plan)
        ground = _Ground(
            plan, possible_groups(plan, table_names(schemas)), spec_of(brief, plan, schemas), schema_sql_of(schemas)
        )
        contracts = await _contracts(asking, brief, ground)
        contracts = await _settlement(asking, ground, contracts, table_names(schemas))
        plan = remaining(plan, contracts)
        return blueprint_of(brief, plan, schemas, contracts, model=asking.model, prompts=asking.used)


class _Ground(NamedTuple):
    """What contracts stand on. `groups`: those that the tables allow, with the requirements that they allow."""

    plan: RequirementsDraft
    groups: Sequence[GroupPlan]
    spec: EnvironmentSpec
    schema_sql: str

    def requirements(self, names: Sequence[str]) -> list[str]:
        """Ids of the requirements of these groups, in the plan's order."""
        own = {id_ for group in self.groups if group.name in names for id_ in group.requirements}
        return [want.id for want in self.plan.requirements if want.id in own]


async def _requirements(asking: Asking, brief: Brief) -> RequirementsDraft:
    size = wanted(brief)
    return await asking.ask(
        "requirements",
        RequirementsDraft,
        lambda draft: requirement_problems(draft, size),
        scenario=brief.scenario,
        size=size,
        clock=moment_text(clock_of(brief)),
        neighbours=neighbours_lines(brief.avoid),
        defects=defect_lines(brief.defects),
    )


async def _schemas(asking: Asking, brief: Brief, plan: RequirementsDraft) -> tuple[SchemaDraft, ...]:
    """The schema of each part that came to something, in order; the first must, for it has the actors' tables."""
    done: tuple[SchemaDraft, ...] = ()
    for index, part in enumerate(plan.parts):
        last = index == len(plan.parts) - 1 and len(done) == index
        try:
            done = (*done, await _schema(asking, SchemaCheck(brief, plan, done, part, last)))
        except Unusable:
            if not done:
                raise
    return done


async def _schema(asking: Asking, check: SchemaCheck) -> SchemaDraft:
    return await asking.ask(
        "schema",
        SchemaDraft,
        check,
        plan=check.plan,
        part=check.part,
        last=check.last,
        clock=moment_text(clock_of(check.brief)),
        before=schema_sql_of(check.before) if check.before else "",
        invariants=[rule for schema in check.before for rule in schema.invariants],
        conditions=check.open_conditions(),
        defects=defect_lines(check.brief.defects),
    )


async def _contracts(asking: Asking, brief: Brief, ground: _Ground) -> Contracts:
    """The contracts of each group that came to something."""
    found = await usable(_group(asking, brief, ground, group) for group in ground.groups)
    made = zip(ground.groups, found, strict=True)
    return {group.name: list(draft.tools) for group, draft in made if draft is not None}


async def _group(asking: Asking, brief: Brief, ground: _Ground, group: GroupPlan) -> ContractsDraft:
    elsewhere = [name for other in ground.groups if other is not group for name in other.tools]
    known = ground.requirements([other.name for other in ground.groups])
    wants = [want for want in ground.plan.requirements if want.id in known]
    return await asking.ask(
        "tools",
        ContractsDraft,
        ContractCheck(ground.spec, ground.schema_sql, group, frozenset(elsewhere), frozenset(known)),
        plan=ground.plan,
        group=group,
        wants=[want for want in wants if want.id in group.requirements],
        others=[want for want in wants if want.id not in group.requirements],
        elsewhere=elsewhere,
        spec=ground.spec,
        schema_sql=ground.schema_sql,
        defects=defect_lines(brief.defects),
    )


async def _settlement(asking: Asking, ground: _Ground, contracts: Contracts, tables: Sequence[str]) -> Contracts:
    """The contracts without the conflicts between groups, as far as one bounded call settles them."""
    ids = tuple(ground.requirements(list(contracts)))
    found = conflicts(contracts, ids, tables)
    if not contracts or not found:
        return contracts
    try:
        draft = await asking.ask(
            "settle",
            SettlementDraft,
            SettlementCheck(ground.spec, ground.schema_sql, contracts, ids, tuple(tables)),
            plan=ground.plan,
            wants=[want for want in ground.plan.requirements if want.id in ids],
            contracts=contracts,
            conflicts=found,
            schema_sql=ground.schema_sql,
        )
    except Unusable:
        return without_repeated(contracts)
    return settled(contracts, draft)
