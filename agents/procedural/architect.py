"""The procedural architect: a design drawn for the brief, and all of it but the tools' steps and the seed."""

from __future__ import annotations

from typing import Final

from ...environments.models import ColumnClasses, EnvironmentSpec, Invariant, Provenance, Role, Surface, Tool
from ...environments.surface import drawn_surface
from ..base import Blueprint, Brief
from .composition import Composition
from .drawing import draw
from .library import Library
from .matching import Embed
from .naming import capitalized
from .tables import column_classes
from .vocabulary import usable_stem

_PLAIN: Final = Surface()


class ProceduralArchitect:
    """`Architect` without a model. `embed` (optional) matches scenarios with archetypes by meaning, not only words."""

    def __init__(self, *, embed: Embed | None = None, source: Library | None = None) -> None:
        self._embed = embed
        self._source = source

    async def design(self, brief: Brief) -> Blueprint:
        design = draw(brief, embed=self._embed, source=self._source)
        surface = drawn_surface(design.seed) if brief.surface == "varied" else Surface()
        return blueprint_of(Composition(design, self._source), surface)


def blueprint_of(composition: Composition, surface: Surface = _PLAIN) -> Blueprint:
    """Everything of a composition but the tools' steps and the seed."""
    return Blueprint(
        spec=spec_of(composition, usable_stem(composition.design.name), surface),
        schema_sql=composition.schema_sql,
        contracts=tuple(_contract(tool) for tool in composition.tools),
        design=composition.design.model_dump(mode="json"),
    )


def spec_of(composition: Composition, stem: str, surface: Surface = _PLAIN) -> EnvironmentSpec:
    """environment.yaml of a composition."""
    design = composition.design
    return EnvironmentSpec(
        id=stem,
        scenario=design.scenario.strip() or design.name or "A service without a description",
        summary=_summary(composition),
        category=design.category,
        roles={
            role: Role(table=composition.actor_table, where=f"role = '{role}'") for role in composition.roles.values()
        },
        clock=design.clock,
        columns=ColumnClasses.model_validate(column_classes(composition.tables)),
        glossary=composition.glossary,
        invariants=tuple(Invariant(name=item["name"], sql=item["sql"]) for item in composition.invariants),
        policy="".join(f"{rule['number']}. {rule['text'].strip()}\n" for rule in composition.policies),
        requirements=composition.requirements,
        surface=surface,
        provenance=Provenance(
            agents={"architect": "procedural"},
            design=design.model_dump(mode="json") | {"lifecycles": composition.lifecycles},
        ),
    )


def _summary(composition: Composition) -> str:
    """What the world is about, in its own words."""
    roles = composition.role_nouns
    things = [composition.main_noun(name)["plural"] for name in composition.design.archetypes if name != "people"]
    listed = ", ".join(things[:-1]) + f" and {things[-1]}" if len(things) > 1 else "".join(things)
    return capitalized(
        f"{roles['customer']['plural']}, {roles['staff']['plural']} and {roles['manager']['plural']} work with {listed}."
    )


def _contract(tool: Tool) -> Tool:
    """What the architect says of a tool: all but how it works."""
    return tool.model_copy(update={"steps": (), "returns": None})
