"""Composed environments to write tasks for."""

import asyncio
from collections.abc import Iterator

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.architect import ProceduralArchitect
from envolve.agents.procedural.coder import ProceduralCoder
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.environments.models import Task
from envolve.environments.package import Environment

SCENARIOS = {
    "music-rooms": "A music school where students book practice rooms and lessons",
    "corner-shop": "An online shop for kitchenware: customers order products, pay invoices, return items",
    "helpdesk": "A helpdesk that handles tickets from employees, with messages between them",
    "credit-union": "A credit union with accounts, transfers between members and bills",
    "gym": "A gym with memberships, classes that are booked, and a shop",
    "council": "A council office where requests are approved and residents are notified through channels",
}


@pytest.fixture(scope="session")
def composed() -> dict[str, Environment]:
    """Environments by scenario, each of another seed."""
    return {name: asyncio.run(_made(name, text, seed)) for seed, (name, text) in enumerate(SCENARIOS.items())}


@pytest.fixture(scope="session", params=sorted(SCENARIOS))
def environment(request: pytest.FixtureRequest, composed: dict[str, Environment]) -> Environment:
    return composed[request.param]


@pytest.fixture(scope="session")
def school(composed: dict[str, Environment]) -> Environment:
    return composed["music-rooms"]


def worlds_offering(*flows: str, name: str = "music-rooms", text: str = "") -> Iterator[Environment]:
    """Worlds of one scenario, or of a text, that have some workflows or refusals, of all that some seeds give."""
    for seed in range(40):
        world = asyncio.run(_made(name, text or SCENARIOS[name], seed))
        if {**offers_of(world).workflows, **offers_of(world).refusals}.keys() >= set(flows):
            yield world


async def _made(name: str, text: str, seed: int) -> Environment:
    scenario = Scenario(id=name, name=name.replace("-", " ").title(), category="", text=text)
    brief = Brief(scenario=scenario, seed=seed)
    return await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))


@pytest.fixture(scope="session")
def tasks(environment: Environment) -> list[Task]:
    """Thirty proposed tasks of the environment."""
    return asyncio.run(ProceduralTaskWriter().propose(environment, 30, seed=3))
