"""The rules critic finds nothing that blocks in composed worlds."""

from __future__ import annotations

import asyncio

import pytest

from envolve.agents.base import Brief, Dossier
from envolve.agents.critics import critic_named
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.scenarios import shipped_scenarios
from envolve.agents.tester import confirm

SHIPPED = {scenario.id: scenario for scenario in shipped_scenarios()}
SAMPLE = [
    ("shire-record-office", 1),
    ("deepwell-water-works", 1),
    ("deepwell-water-works", 2),
    ("grasscourt-tennis-club", 1),
    ("longspan-removals", 3),
    ("furrow-veg-boxes", 3),
    *((name, 7) for name in list(SHIPPED)[::12]),
]
"""Worlds in which something was found once, and some others."""


@pytest.mark.parametrize(("name", "seed"), SAMPLE)
def test_nothing_blocks(name: str, seed: int) -> None:
    async def reviewed() -> list[str]:
        brief = Brief(scenario=SHIPPED[name], seed=seed)
        environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
        claims = await critic_named("rules").review(Dossier(environment, {}))
        found = [claim for claim in confirm(environment, claims) if claim.confirmed and claim.severity != "minor"]
        return [f"{claim.kind} at {claim.where}: {claim.message}" for claim in found]

    assert asyncio.run(reviewed()) == []
