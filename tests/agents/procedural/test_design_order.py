"""What a design says does not depend on the order in which it was written down."""

from __future__ import annotations

import asyncio
import json

import pytest

from envolve.agents.base import Blueprint, Brief
from envolve.agents.procedural import Composition, ProceduralArchitect, ProceduralCoder
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.canonical import canonical_json
from envolve.environments.package import Environment


async def built(number: int) -> Environment:
    """An environment whose blueprint has been through canonical JSON, whose objects are sorted by name."""
    scenario = shipped_scenarios()[number]
    brief = Brief(scenario=scenario, seed=number)
    blueprint = await ProceduralArchitect().design(brief)
    sorted_blueprint = Blueprint.model_validate(json.loads(canonical_json(blueprint)))
    return await ProceduralCoder().write(brief, sorted_blueprint)


@pytest.mark.parametrize("number", range(0, 120, 20))
def test_rules_keep_their_numbers(number: int) -> None:
    environment = asyncio.run(built(number))
    rules = Composition.from_environment(environment).policies
    told = [f"{rule['number']}. {' '.join(rule['text'].split())}" for rule in rules]
    assert [" ".join(line.split()) for line in environment.spec.policy.splitlines()] == told
