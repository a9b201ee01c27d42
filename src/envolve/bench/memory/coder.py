"""The simulated coder: a stand-in for one that makes the same kinds of mistakes again.

Sound environments are composed, then a fault is planted. That a told defect is of the kind which the coder is about to
write is looked up in the bench's own record: a coder that understands what it is told is assumed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from envolve.agents.base import Blueprint, Brief, PastDefect, Scenario
from envolve.agents.faults import KINDS, Planted, plant
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.recalled import LEAST, likeness
from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment

SIZE = {"tables": 4, "tools": 8}


class Draft(NamedTuple):
    """What the coder is about to write; `planted` None: no habit of it applies."""

    blueprint: Blueprint
    sound: Environment
    planted: Planted | None


def habits(seed: int, count: int) -> tuple[str, ...]:
    """Kinds of faults that the coder of a seed is prone to."""
    return tuple(random.Random(seed_from("habits", seed)).sample(KINDS, min(count, len(KINDS))))


def drafted(scenario: Scenario, seed: int, kinds: Sequence[str]) -> Draft:
    """The design, the sound environment, and the one with a fault of one of `kinds`."""
    brief = Brief(scenario=scenario, seed=seed, size=SIZE)
    blueprint = asyncio.run(ProceduralArchitect().design(brief))
    sound = asyncio.run(ProceduralCoder().write(brief, blueprint))
    rng = random.Random(seed_from("slip", seed))
    order = rng.sample(list(kinds), len(kinds))
    planted = next(filter(None, (plant(sound, rng, {kind}) for kind in order)), None)
    return Draft(blueprint, sound, planted)


def warned(draft: Draft, defects: Sequence[PastDefect], meaning: Mapping[str, str]) -> bool:
    """Whether one of the defects is of the kind about to be planted, at a like place. `meaning`: the kind of fault that
    an environment's defects came from, by its id."""
    if draft.planted is None:
        return False
    tool = draft.sound.tools.get(_tool_of(draft.planted.where))
    for defect in defects:
        if meaning.get(defect.environment) != draft.planted.kind:
            continue
        blamed = next((each for each in defect.tools if each.name == _tool_of(defect.where)), None)
        if tool is None or blamed is None:
            if tool is None and blamed is None:
                return True
        elif likeness(blamed, tool) >= LEAST:
            return True
    return False


def _tool_of(where: str) -> str:
    words = where.split(".")
    return words[1] if words[0] == "tools" and len(words) > 1 else ""
