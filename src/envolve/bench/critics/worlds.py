"""The sound environments that faults are planted in: composed, with audited tasks. Refusals are left out."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import NamedTuple

from envolve.agents.base import Brief, Scenario
from envolve.agents.faults import canonical
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder, ProceduralScout
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

HELD_OUT = ("approvals", "memberships")
"""Archetypes that gates and rules are not mended against, from the first of these figures on. Environments that have
one of them are told in rows of their own; what was written before may have been tried on them."""
_EVERY = 3
"""One environment in so many has a held-out archetype."""
_AT_ONCE = 12
"""Scenarios drawn at a time."""
TASKS = 4
"""Tasks proposed for an environment."""


class World(NamedTuple):
    """A sound environment. `environment` still says how it was composed, for the task writer; `clean` is the canonical
    copy. Both hold the same tasks, named alike."""

    name: str
    environment: Environment
    clean: Environment
    held_out: bool


@lru_cache(maxsize=16)
def world(number: int, seed: int) -> World:
    """The environment of a number; the same for the same seed."""
    return asyncio.run(_world(number, seed))


async def _world(number: int, seed: int) -> World:
    held_out = number % _EVERY == _EVERY - 1
    environment = await _environment(number, seed, held_out)
    tasks = await _tasks(environment, seed)
    return World(
        name=f"{number}: {environment.spec.scenario}",
        environment=environment.with_tasks(tasks),
        clean=canonical(environment, tasks),
        held_out=held_out,
    )


async def _environment(number: int, seed: int, held_out: bool) -> Environment:
    """The scenario that is the number's among those whose composition is of the wanted sort."""
    group, place = divmod(number, _EVERY)
    wanted = group if held_out else group * (_EVERY - 1) + place
    known: list[Scenario] = []
    while True:
        for scenario in await ProceduralScout().scenarios(_AT_ONCE, seed=seed, known=known):
            known.append(scenario)
            brief = Brief(scenario=scenario, seed=seed_from("critics", seed, scenario.id))
            blueprint = await ProceduralArchitect().design(brief)
            if bool(set(HELD_OUT) & set(blueprint.design["archetypes"])) == held_out:
                if wanted == 0:
                    return await ProceduralCoder().write(brief, blueprint)
                wanted -= 1


async def _tasks(environment: Environment, seed: int) -> list[Task]:
    """Those whose verifiers the audit finds sound, numbered."""
    writer, sound = ProceduralTaskWriter(), list[Task]()
    plain = canonical(environment)
    for task in await writer.propose(environment, TASKS, seed=seed):
        written = await writer.write_verifier(environment, task, run_gold(environment, task))
        # A refusal and its twin are one; here each task stands alone.
        alone = written.model_copy(update={"id": f"task-{len(sound) + 1}", "twin": None})
        refused = task.twin is not None or task.verifier.submit.status != "done"
        if not refused and audit(plain, alone, seed=seed).grade == "sound":
            sound.append(alone)
    return sound
