"""The tester and the rules find planted faults, with probes that fail on the plant and pass on the sound package."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from itertools import islice
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


def _reviews(planted: Environment) -> Iterator[list[Finding]]:
    """What the rules say, then the tester, which takes longer."""
    yield confirm(planted, asyncio.run(critic_named("rules").review(Dossier(planted, {}))))
    yield list(run_gates(planted, seed=3, effort=LESS).findings)


def _hit(sound: Environment, planted: Environment) -> bool:
    serious = (
        finding
        for findings in _reviews(planted)
        for finding in findings
        if finding.confirmed and finding.severity != "minor"
    )
    return any(not run_probe(sound, finding).reproduced for finding in serious)


@pytest.mark.parametrize("kind", sorted(FOUND_OF_TWO))
def test_planted_faults_are_found(kind: str, sound: Environment) -> None:
    drawn = (plant(sound, random.Random(seed), {kind}) for seed in (7, 8))
    hits = (planted for planted in drawn if planted is not None and _hit(sound, planted.environment))
    wanted = FOUND_OF_TWO[kind]
    assert len(list(islice(hits, wanted))) == wanted


def test_sound_package_gives_no_alarm(sound: Environment) -> None:
    claims = asyncio.run(critic_named("rules").review(Dossier(sound, {})))
    assert claims == []
    assert run_gates(sound, seed=3).blocking == ()
