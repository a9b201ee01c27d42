"""The coder as a model: tools by group at once, beside them the seed by part; repairs as small patches."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from ....environments.canonical import canonical_json
from ....environments.errors import PackageError
from ....environments.models import EnvironmentSpec, Finding, Tool, ToolsFile
from ....environments.package import Environment
from ...base import Blueprint, Brief
from ...llm.base import Chat
from ...llm.errors import Unusable
from ..architect.blueprints import KIND, PlannedGroup, PromptedDesign
from ..architect.leaving_out import LEAST_SHARE
from ..architect.remembered import defect_lines
from ..architect.sketch import built, told
from ..architect.wanted import moment_text
from ..asking import Asking, usable
from ..showing import policy_text, world_text
from .concerned import concerned, most_severe
from .drafts import PatchDraft, SeedDraft, WrittenTools
from .filling import filled_text
from .groups import design_of, parts_of
from .patch_check import PatchCheck, leaves_all_alone
from .patching import patched, tool_json
from .rows import Rows, seed_sql
from .seeding import SeedCheck, batches, merged
from .toolmaking import ToolsCheck, tools_of

TABLES_AT_ONCE = 4


class PromptedCoder:
    """`Coder` by a model. A group of tools that comes to nothing is left out, with the requirements that need it.

    Errors: Unusable when too few tools or no seed came of it; those of `Chat.ask`.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def _asking(self, seed: int, *included: str) -> Asking:
        asking = Asking(self._chat, "coder", Path(__file__).parent, seed)
        asking.with_included(*included)
        return asking

    async def write(self, brief: Brief, blueprint: Blueprint) -> Environment:
        asking = self._asking(brief.seed, "format", "example")
        design = design_of(blueprint)
        made, rows = await _both(asking, brief, blueprint, design)
        tools = [tool for group in made.values() for tool in group]
        if not tools or len(tools) < len(blueprint.contracts) * LEAST_SHARE:
            missing = [group.name for group in design.groups if group.name not in made]
            problem = f"{len(tools)} of {len(blueprint.contracts)} tools; nothing came of {', '.join(missing)}"
            raise Unusable("coder", (problem,))
        spec = _without(blueprint.spec, design, [group for group in design.groups if group.name not in made])
        try:
            return Environment.build(
                spec=_by(spec, asking),
                schema_sql=blueprint.schema_sql,
                seed_sql=seed_sql(rows),
                tools=ToolsFile(tools=tuple(tools)),
            )
        except PackageError as error:
            raise Unusable("coder", tuple(told(error))) from error

    async def repair(self, environment: Environment, findings: Sequence[Finding], *, seed: int) -> Environment | None:
        """The environment with a patch for the most severe findings; None if the model gives up or calls them all false
        alarms. Errors: Unusable if no patch of it builds."""
        asking, claims = self._asking(seed, "format"), most_severe(findings)
        if not claims:
            return None
        draft = await asking.ask(
            "repair",
            PatchDraft,
            PatchCheck(environment, claims, seed),
            world=world_text(environment),
            policy=policy_text(environment),
            concerned=concerned(environment, claims),
        )
        if draft.give_up is not None or leaves_all_alone(draft, claims):
            return None
        after = patched(environment, draft)
        spec = _by(after.spec, asking)
        return Environment(after.kit, spec, after.schema_sql, after.seed_sql, after.tools_file, after.tasks)


async def _both(
    asking: Asking, brief: Brief, blueprint: Blueprint, design: PromptedDesign
) -> tuple[Mapping[str, Sequence[Tool]], Rows]:
    """Tools by group and the seed's rows: neither needs the other."""
    tools, rows = await asyncio.gather(
        _tools(asking, brief, blueprint, design), _seed(asking, brief, blueprint, design), return_exceptions=True
    )
    if isinstance(tools, BaseException):
        raise tools
    if isinstance(rows, BaseException):
        raise rows
    return tools, rows


async def _tools(
    asking: Asking, brief: Brief, blueprint: Blueprint, design: PromptedDesign
) -> dict[str, tuple[Tool, ...]]:
    found = await usable(_group(asking, brief, blueprint, design, group) for group in design.groups)
    made = zip(design.groups, found, strict=True)
    return {group.name: tools for group, tools in made if tools is not None}


async def _group(
    asking: Asking, brief: Brief, blueprint: Blueprint, design: PromptedDesign, group: PlannedGroup
) -> tuple[Tool, ...]:
    contracts = {tool.name: tool for tool in blueprint.contracts if tool.name in group.tools}
    spec = blueprint.spec
    written = await asking.ask(
        "tools",
        WrittenTools,
        ToolsCheck(spec, blueprint.schema_sql, contracts, design.results),
        spec=spec,
        clock=moment_text(spec.clock),
        design=design,
        schema_sql=blueprint.schema_sql,
        contracts={name: canonical_json(tool_json(tool)) for name, tool in contracts.items()},
        results=design.results,
        others=[tool for tool in blueprint.contracts if tool.name not in contracts],
        defects=defect_lines(brief.defects),
    )
    return tools_of(contracts, written)


async def _seed(asking: Asking, brief: Brief, blueprint: Blueprint, design: PromptedDesign) -> Rows:
    """Rows of all tables, a few tables at a time, each seeing what it refers to."""
    spec, schema_sql = blueprint.spec, blueprint.schema_sql
    empty = built(spec, schema_sql)
    if isinstance(empty, PackageError):
        raise Unusable("coder/seed", tuple(told(empty)))
    tables, rows = empty.tables(), Rows()
    stored = tuple(name for name, table in tables.items() if not table.view)
    for batch in batches(parts_of(design, stored), tables, TABLES_AT_ONCE, spec.columns.log):
        draft = await asking.ask(
            "seed",
            SeedDraft,
            SeedCheck(spec, schema_sql, tables, batch, rows),
            spec=spec,
            clock=moment_text(spec.clock),
            design=design,
            schema_sql=schema_sql,
            batch=batch,
            rows=filled_text(rows, tables, batch),
            defects=defect_lines(brief.defects),
        )
        rows = merged(rows, draft, tables)
    return rows


def _without(spec: EnvironmentSpec, design: PromptedDesign, missing: Sequence[PlannedGroup]) -> EnvironmentSpec:
    """environment.yaml without the requirements that the missing groups alone were for."""
    gone = {id_ for group in missing for id_ in group.requirements}
    kept = {id_ for group in design.groups if group not in missing for id_ in group.requirements}
    texts = [want.want for id_, want in design.wants.items() if id_ in gone - kept]
    requirements = tuple(text for text in spec.requirements if not any(text.startswith(lost) for lost in texts))
    return spec.model_copy(update={"requirements": requirements})


def _by(spec: EnvironmentSpec, asking: Asking) -> EnvironmentSpec:
    """environment.yaml that says who coded it, with which prompts. A procedural design is no longer what it is made
    of."""
    before = spec.provenance
    provenance = before.model_copy(
        update={
            "agents": {**before.agents, "coder": asking.model},
            "prompts": {**before.prompts, **asking.used},
            "design": {"kind": KIND},
        }
    )
    return spec.model_copy(update={"provenance": provenance})
