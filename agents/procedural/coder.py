"""The procedural coder: renders tools and seed from the design, and repairs by rendering again what findings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...environments.errors import InputError
from ...environments.models import EnvironmentSpec, Finding, ToolsFile
from ...environments.package import Environment
from ..base import Blueprint, Brief
from .architect import spec_of
from .composition import Composition
from .design import Design
from .library import Library

Planter = Callable[[Environment, int], Environment]
"""Puts faults into an environment, by a random seed (to test testers and critics)."""


class ProceduralCoder:
    """`Coder` without a model. With a `planter`, what it writes has faults; what it repairs has not."""

    def __init__(self, *, planter: Planter | None = None, source: Library | None = None) -> None:
        self._planter = planter
        self._source = source

    async def write(self, brief: Brief, blueprint: Blueprint) -> Environment:
        """Errors: InputError for a blueprint that was not composed."""
        if "archetypes" not in blueprint.design:
            raise InputError(
                "The procedural coder renders what the procedural architect composed, and nothing else.",
                remedy="Let a model code what a model designed (`--coder openai:…`).",
            )
        design = Design.model_validate(
            {key: value for key, value in blueprint.design.items() if key in Design.model_fields}
        )
        environment = render(design, spec=blueprint.spec, source=self._source)
        return self._planter(environment, brief.seed) if self._planter else environment

    async def repair(self, environment: Environment, findings: Sequence[Finding], *, seed: int) -> Environment | None:
        """The environment with each tool, invariant, table or seed that a finding names as the design has it; None
        if nothing of that differs, or the environment was not composed."""
        try:
            sound = Composition.from_environment(environment)
        except InputError:
            return None
        return repaired(environment, sound, [finding.where for finding in findings])


def render(design: Design, *, spec: EnvironmentSpec | None = None, source: Library | None = None) -> Environment:
    """The environment of a design."""
    composition = Composition(design, source)
    return Environment.build(
        spec=with_coder(spec or spec_of(composition, "world")),
        schema_sql=composition.schema_sql,
        seed_sql=composition.seed_sql(),
        tools=ToolsFile(tools=composition.tools),
    )


def with_coder(spec: EnvironmentSpec) -> EnvironmentSpec:
    agents = {**spec.provenance.agents, "coder": "procedural"}
    return spec.model_copy(update={"provenance": spec.provenance.model_copy(update={"agents": agents})})


def repaired(environment: Environment, sound: Composition, places: Sequence[str]) -> Environment | None:
    """The parts that dotted `places` name (`tools.cancel_booking.steps.1`, `schema.bookings`), rendered anew."""
    tools = _tools(environment, sound, _named(places, "tools"))
    schema = sound.schema_sql if _named(places, "schema") else environment.schema_sql
    seed = sound.seed_sql() if _named(places, "seed") or _named(places, "seed.sql") else environment.seed_sql
    spec = _spec(environment, sound, places)
    if (tools, schema, seed, spec) == (
        environment.tools_file,
        environment.schema_sql,
        environment.seed_sql,
        environment.spec,
    ):
        return None
    return Environment.build(
        spec=spec, schema_sql=schema, seed_sql=seed, tools=tools, tasks=environment.tasks.values()
    )


def _named(places: Sequence[str], part: str) -> set[str]:
    """The second words of the places that start with `part`; an empty one stands for all."""
    split = [place.split(".") for place in places]
    return {words[1] if len(words) > 1 else "" for words in split if words[0] == part}


def _tools(environment: Environment, sound: Composition, names: set[str]) -> ToolsFile:
    """The tools file with the named tools as the design has them: a missing one comes back, a strange one goes."""
    right = {tool.name: tool for tool in sound.tools}
    if not names:
        return environment.tools_file
    everything = "" in names
    current = {tool.name: tool for tool in environment.tools_file.tools}
    for name in list(right) if everything else sorted(names):
        if name in right:
            current[name] = right[name]
        else:
            current.pop(name, None)
    return environment.tools_file.model_copy(update={"tools": tuple(current.values())})


def _spec(environment: Environment, sound: Composition, places: Sequence[str]) -> EnvironmentSpec:
    """The spec as designed, if a place names anything of it; who made it stays."""
    if not any(place.split(".")[0] in _SPEC_PLACES for place in places):
        return environment.spec
    spec = environment.spec
    right = spec_of(sound, spec.id, spec.surface)
    return right.model_copy(update={"lineage": spec.lineage, "provenance": spec.provenance})


_SPEC_PLACES = frozenset({"environment", "invariants", "policy", "roles", "columns", "glossary", "spec"})
