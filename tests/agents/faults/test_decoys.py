"""Decoys change packages and are legitimate: they load, what was solved is solved, and tester and rules are quiet."""

from __future__ import annotations

import asyncio
import random
from itertools import islice
from pathlib import Path

import pytest

from envolve.agents.base import Dossier
from envolve.agents.critics import critic_named
from envolve.agents.faults import DECOY_KINDS, canonical, decoys
from envolve.agents.tester import confirm
from envolve.environments.gold import run_gold
from envolve.environments.package import Environment

SAMPLE = Path(__file__).parents[2] / "data" / "table-booking"
WITHOUT_PLACE = ("other_default",)
"""Kinds for which the sample package has no place."""


@pytest.fixture(scope="module")
def sound() -> Environment:
    loaded = Environment.load(SAMPLE)
    return canonical(loaded, loaded.tasks.values())


def test_there_are_at_least_six_kinds() -> None:
    assert len(set(DECOY_KINDS)) == len(DECOY_KINDS) >= 6


@pytest.mark.parametrize("kind", [kind for kind in DECOY_KINDS if kind not in WITHOUT_PLACE])
def test_a_decoy_loads_differs_and_leaves_tasks_solvable(kind: str, sound: Environment) -> None:
    found = list(islice(decoys(sound, kind, random.Random(2)), 3))
    assert found
    for decoy in found:
        assert decoy.environment.hash != sound.hash
        assert all(run_gold(decoy.environment, task).ok for task in decoy.environment.tasks.values())
        assert set(decoy.environment.tasks) == set(sound.tasks)
    claims = asyncio.run(critic_named("rules").review(Dossier(found[0].environment, {})))
    assert not [claim for claim in confirm(found[0].environment, claims) if claim.confirmed]
