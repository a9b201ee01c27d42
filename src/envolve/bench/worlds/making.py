"""The worlds: one for each scenario of the procedural scout, with tasks, from seeds of this bench's own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder, ProceduralScout
from envolve.agents.procedural.library import library
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment
from envolve.eval.units import Unit, units


def scenarios(count: int, seed: int) -> list[Scenario]:
    """Those that ship, one of each category before the second of any, then grown ones."""
    return asyncio.run(ProceduralScout().scenarios(count, seed=seed_from("bench worlds", seed), known=()))


def world_seed(number: int, seed: int) -> int:
    """Seed of a world, its tasks, its gates and its audits: short enough to be typed."""
    return seed_from("bench worlds", seed, number) % 10**9


def environment_of(scenario: Scenario, seed: int, size: Mapping[str, int] = MappingProxyType({})) -> Environment:
    """`size`: least numbers of tables, tools, rows; as usual where nothing is said."""

    async def written() -> Environment:
        brief = Brief(scenario=scenario, seed=seed, size=dict(size))
        return await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))

    return asyncio.run(written())


def proposed(environment: Environment, count: int, seed: int) -> list[Unit]:
    """Tasks without verifiers; a refusal and its twin are one."""
    return units(asyncio.run(ProceduralTaskWriter().propose(environment, count, seed=seed)))


@lru_cache(maxsize=1)
def warm() -> None:
    """Load what every world needs, so that it counts for none."""
    from envolve.agents.critics import panel_of
    from envolve.agents.tester import run_gates
    from envolve.eval.audit.auditing import audit

    library()
    panel_of(["rules"])
    assert callable(run_gates)
    assert callable(audit)
