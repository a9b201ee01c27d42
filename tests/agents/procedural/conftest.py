"""Briefs and environments of the procedural agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.environments.package import Environment

Compose = Callable[..., Environment]


async def _compose(brief: Brief) -> Environment:
    blueprint = await ProceduralArchitect().design(brief)
    return await ProceduralCoder().write(brief, blueprint)


@pytest.fixture(scope="session")
def compose() -> Compose:
    """An environment for a scenario, or for a text; further arguments are the brief's."""

    def composed(
        scenario: Scenario | str, *, seed: int = 1, attempt: int = 0, size: dict[str, int] | None = None
    ) -> Environment:
        if isinstance(scenario, str):
            scenario = Scenario(id="given", name="Given", category="", text=scenario)
        return asyncio.run(_compose(Brief(scenario=scenario, seed=seed, attempt=attempt, size=size or {})))

    return composed
