"""The worlds of the bench: base worlds, and for each some others that are distinct from it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralScout
from envolve.agents.procedural.architect import spec_of
from envolve.agents.procedural.coder import render
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.drawing import draw
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.agents.procedural.vocabulary import usable_stem
from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment
from envolve.world_sizes import world_size

from .telling import share_told, told_tools

DISTINCT = ("other category", "same category", "same category", "many shared parts", "many shared parts")
"""Kinds of distinct pairs of one base, in turn. `many shared parts`: of several worlds of another scenario of the
category, the one that shares most with the base."""
MOST_SHARED = 0.5
"""Share of told tools up to which two worlds that were composed apart are distinct."""
TASKS = 6
"""Tasks proposed for a world."""
_DRAWS = 8
OFFERED = 250
"""Scenarios to choose base worlds and partners from."""


class Partner(NamedTuple):
    """A world composed apart from its base. `share`: of the tools of the smaller one that both have."""

    kind: str
    environment: Environment
    share: float

    @property
    def is_distinct(self) -> bool:
        return self.share <= MOST_SHARED


@lru_cache(maxsize=2)
def scenarios(seed: int) -> tuple[Scenario, ...]:
    """Shipped ones, those of all categories in turn, then grown ones."""
    wanted = asyncio.run(ProceduralScout().scenarios(OFFERED, seed=seed_from("novelty scenarios", seed), known=()))
    return tuple(wanted)


def world_of(design: Design, seed: int, tasks: int = TASKS) -> Environment:
    """The world of a design, with tasks whose gold runs."""
    made = render(design, spec=spec_of(Composition(design), usable_stem(design.name)))
    return made.with_tasks(asyncio.run(ProceduralTaskWriter().propose(made, tasks, seed=seed)))


def design_for(scenario: Scenario, seed: int) -> Design:
    seed = seed_from("novelty world", seed, scenario.id)
    return draw(Brief(scenario=scenario, seed=seed, size=world_size("usual")))


def other_scenarios(scenario: Scenario, seed: int, *, alike: bool) -> list[Scenario]:
    """Scenarios of the same category (`alike`) or of others, in a drawn order."""
    found = [one for one in scenarios(seed) if one.id != scenario.id and (one.category == scenario.category) == alike]
    return Random(seed_from("partners", seed, scenario.id, alike)).sample(found, len(found))


def partners(scenario: Scenario, design: Design, count: int, seed: int) -> Iterator[Partner]:
    """`count` worlds of scenarios other than the base's, of the kinds of `DISTINCT` in turn."""
    near, far = (iter(other_scenarios(scenario, seed, alike=alike)) for alike in (True, False))
    base = told_tools(design)
    for number in range(count):
        kind = DISTINCT[number % len(DISTINCT)]
        other = next(far if kind == "other category" else near, None)
        if other is None:
            return
        found, share = _drawn(kind, other, base, seed_from(seed, number))
        yield Partner(kind, world_of(found, seed), share)


def _drawn(kind: str, scenario: Scenario, base: frozenset[str], seed: int) -> tuple[Design, float]:
    """A design for the scenario: as it comes; or of several the one that shares most and is still distinct."""
    if kind != "many shared parts":
        design = design_for(scenario, seed)
        return design, share_told(base, told_tools(design))
    drawn = [design_for(scenario, seed_from(seed, number)) for number in range(_DRAWS)]
    shares = [share_told(base, told_tools(design)) for design in drawn]
    best = max(range(_DRAWS), key=lambda number: (shares[number] <= MOST_SHARED, shares[number], -number))
    return drawn[best], shares[best]
