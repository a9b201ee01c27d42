"""Tasks of composed environments, to be evolved."""

import asyncio
from typing import NamedTuple

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.architect import ProceduralArchitect
from envolve.agents.procedural.coder import ProceduralCoder
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.environments.models import Task
from envolve.environments.package import Environment

SCENARIOS = {
    "music-rooms": "A music school where students book practice rooms and lessons",
    "corner-shop": "An online shop for kitchenware: customers order products, pay invoices, return items",
}


class Made(NamedTuple):
    environment: Environment
    tasks: list[Task]


@pytest.fixture(scope="session")
def made() -> list[Made]:
    """Environments with proposed tasks."""
    return [asyncio.run(_made(name, text, seed)) for seed, (name, text) in enumerate(SCENARIOS.items(), start=1)]


async def _made(name: str, text: str, seed: int) -> Made:
    scenario = Scenario(id=name, name=name.replace("-", " ").title(), category="", text=text)
    brief = Brief(scenario=scenario, seed=seed)
    environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
    tasks = await ProceduralTaskWriter().propose(environment, 20, seed=3)
    return Made(environment, [task for task in tasks if task.twin is None])
