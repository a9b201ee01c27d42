"""The tester and the rules find planted faults, with probes that fail on the plant and pass on the sound package."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from envolve.agents.base import Dossier
from envolve.agents.critics import critic_named
from envolve.agents.faults import plant
from envolve.agents.tester import Effort, confirm, run_gates, run_probe
from envolve.environments.models import Finding
from envolve.environments.package import Environment

LESS = Effort(least=500, calls_per_tool=35)
SAMPLE = Path(__file__).parents[2] / "data" / "table-booking"
FOUND_OF_TWO = {
    "actor_scope_missing": 1,
    "boundary_off_by_one": 1,
    "duplicate_rows": 1,
    "effect_missing": 2,
    "guard_negated": 1,
    "result_leaks": 2,
    "sign_flipped": 2,
    "stale_total": 1,
    "status_illegal": 2,
    "wrong_column": 1,
    "wrong_join": 2,
}
"""Of two plants of a kind, drawn by fixed seeds: at least so many are found."""


@pytest.fixture(scope="module")
def sound() -> Environment:
    return Environment.load(SAMPLE)


def _hits(sound: Environment, planted: Environment) -> list[Finding]:
    claims = asyncio.run(critic_named("rules").review(Dossier(planted, {})))
    found = [*run_gates(planted, seed=3, effort=LESS).findings, *confirm(planted, claims)]
    serious = [finding for finding in found if finding.confirmed and finding.severity != "minor"]
    return [finding for finding in serious if not run_probe(sound, finding).reproduced]


@pytest.mark.parametrize("kind", sorted(FOUND_OF_TWO))
def test_planted_faults_are_found(kind: str, sound: Environment) -> None:
    drawn = [plant(sound, random.Random(seed), {kind}) for seed in (7, 8)]
    hits = [bool(_hits(sound, planted.environment)) for planted in drawn if planted is not None]
    assert sum(hits) >= FOUND_OF_TWO[kind]


def test_sound_package_gives_no_alarm(sound: Environment) -> None:
    claims = asyncio.run(critic_named("rules").review(Dossier(sound, {})))
    assert claims == []
    assert run_gates(sound, seed=3).blocking == ()
