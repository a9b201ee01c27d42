"""Real worlds in every look: the hand-written sample, and one composed from archetypes, with tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import strategies as st

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.team import TeamSpec, assemble
from envolve.environments import Environment, run_gold
from envolve.environments.models import Surface

VALUES: dict[str, tuple[str, ...]] = {
    name: get_args(field.annotation) for name, field in Surface.model_fields.items()
}
"""What each part of a surface can be."""
any_surface: st.SearchStrategy[Surface] = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in VALUES.items()}
).map(Surface.model_validate)


def pairwise() -> list[Surface]:
    """Few surfaces in which any two values of different parts meet."""
    names = list(VALUES)
    pairs = {
        frozenset({(one, x), (other, y)})
        for i, one in enumerate(names)
        for other in names[i + 1 :]
        for x in VALUES[one]
        for y in VALUES[other]
    }
    every = [dict(zip(names, values, strict=True)) for values in product(*VALUES.values())]
    chosen = []
    while pairs:
        best = max(every, key=lambda one: sum(pair <= set(one.items()) for pair in pairs))
        pairs = {pair for pair in pairs if not pair <= set(best.items())}
        chosen.append(Surface.model_validate(best))
    return chosen


LOOKS = [surface for surface in pairwise() if surface != Surface()]


def named(surface: Surface) -> str:
    return "-".join(map(str, surface.model_dump().values()))


Dress = Callable[[str, Surface], Environment]


async def _composed() -> Environment:
    scenario = Scenario(id="gym", name="Gym", category="", text="A climbing gym where members book lessons")
    brief = Brief(scenario=scenario, seed=3, size={"tables": 6, "tools": 12, "rows": 80})
    environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
    writer = assemble(TeamSpec()).task_writer
    tasks = [task for task in await writer.propose(environment, 1, seed=1) if not task.twin]
    return environment.with_tasks(
        [await writer.write_verifier(environment, task, run_gold(environment, task)) for task in tasks]
    )


@pytest.fixture(scope="session")
def worlds(table_booking: Environment) -> dict[str, Environment]:
    return {"sample": table_booking, "composed": asyncio.run(_composed())}


@pytest.fixture(scope="session")
def dress(worlds: dict[str, Environment]) -> Dress:
    """A world by name, with a surface."""

    @cache
    def dressed(name: str, surface: Surface) -> Environment:
        return with_surface(worlds[name], surface)

    return dressed


def with_surface(world: Environment, surface: Surface, **changes: Any) -> Environment:
    spec = world.spec.model_copy(update={"surface": surface, **changes})
    return Environment.build(
        spec=spec,
        schema_sql=world.schema_sql,
        seed_sql=world.seed_sql,
        tools=world.tools_file,
        tasks=world.tasks.values(),
    )
