"""The coder: faults planted on request, repairs that render again what findings name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.environments.models import Finding, Require
from envolve.environments.package import Environment

TEXT = "Guests book rooms at a small hotel, pay their bills and report what is broken; clerks close rooms for repair."


@pytest.fixture(scope="module")
def sound(compose: Callable[..., Environment]) -> Environment:
    return compose(TEXT)


def _finding(where: str) -> Finding:
    return Finding(kind="any", severity="major", where=where, message="something is wrong", source="gate:fuzz")


def _repaired(environment: Environment, *places: str) -> Environment | None:
    return asyncio.run(ProceduralCoder().repair(environment, [_finding(place) for place in places], seed=1))


def _without_guards(environment: Environment, tool_name: str) -> Environment:
    """The environment with the `require` steps of one tool gone."""
    tools = tuple(
        tool.model_copy(update={"steps": tuple(step for step in tool.steps if not isinstance(step, Require))})
        if tool.name == tool_name
        else tool
        for tool in environment.tools_file.tools
    )
    return Environment.build(
        spec=environment.spec,
        schema_sql=environment.schema_sql,
        seed_sql=environment.seed_sql,
        tools=environment.tools_file.model_copy(update={"tools": tools}),
    )


def _guarded(environment: Environment) -> list[str]:
    tools = environment.tools_file.tools
    return [tool.name for tool in tools if any(isinstance(step, Require) for step in tool.steps)]


def test_repair_restores_the_tool_that_a_finding_names(sound: Environment) -> None:
    first, second = _guarded(sound)[:2]
    broken = _without_guards(_without_guards(sound, first), second)
    repaired = _repaired(broken, f"tools.{first}.steps.1")
    assert repaired is not None
    tools = {tool.name: tool for tool in repaired.tools_file.tools}
    right = {tool.name: tool for tool in sound.tools_file.tools}
    assert tools[first] == right[first]
    assert tools[second] != right[second]


def test_repair_of_everything_gives_the_sound_environment(sound: Environment) -> None:
    broken = _without_guards(sound, _guarded(sound)[0])
    repaired = _repaired(broken, "tools")
    assert repaired is not None
    assert repaired.hash == sound.hash
    assert repaired.id == sound.id


@pytest.mark.parametrize("place", ["tools.no_such_tool", "tasks.one.gold", "seed", "schema.people", "invariants", ""])
def test_repair_gives_up_where_nothing_differs(sound: Environment, place: str) -> None:
    assert _repaired(sound, place) is None


def test_repair_of_schema_seed_and_rules(sound: Environment) -> None:
    spec = sound.spec.model_copy(update={"invariants": sound.spec.invariants[1:], "policy": "1. Anything goes.\n"})
    seed = sound.seed_sql + "\nUPDATE people SET status = 'active';" if "people" in sound.tables() else sound.seed_sql
    broken = Environment.build(spec=spec, schema_sql=sound.schema_sql, seed_sql=seed, tools=sound.tools_file)
    repaired = _repaired(broken, "invariants.0", "seed.people")
    assert repaired is not None
    assert repaired.hash == sound.hash


def test_repair_leaves_environments_of_others_alone(sound: Environment) -> None:
    provenance = sound.spec.provenance.model_copy(update={"design": {}})
    spec = sound.spec.model_copy(update={"provenance": provenance})
    foreign = Environment.build(
        spec=spec, schema_sql=sound.schema_sql, seed_sql=sound.seed_sql, tools=sound.tools_file
    )
    assert _repaired(foreign, f"tools.{_guarded(sound)[0]}") is None


def test_planter_is_asked_with_the_seed_of_the_brief() -> None:
    asked: list[int] = []

    def planter(environment: Environment, seed: int) -> Environment:
        asked.append(seed)
        return _without_guards(environment, _guarded(environment)[0])

    brief = Brief(scenario=Scenario(id="hotel", name="Hotel", category="", text=TEXT), seed=11)

    async def written(coder: ProceduralCoder) -> Environment:
        return await coder.write(brief, await ProceduralArchitect().design(brief))

    faulty = asyncio.run(written(ProceduralCoder(planter=planter)))
    assert asked == [11]
    assert faulty.hash != asyncio.run(written(ProceduralCoder())).hash


def test_blueprint_holds_contracts_and_no_steps() -> None:
    brief = Brief(scenario=Scenario(id="hotel", name="Hotel", category="", text=TEXT), seed=11)
    blueprint = asyncio.run(ProceduralArchitect().design(brief))
    environment = asyncio.run(ProceduralCoder().write(brief, blueprint))
    assert [tool.name for tool in blueprint.contracts] == [tool.name for tool in environment.tools_file.tools]
    assert not any(tool.steps or tool.returns for tool in blueprint.contracts)
    assert any(tool.contract for tool in blueprint.contracts)
    assert blueprint.schema_sql == environment.schema_sql
