"""The tasks that cases are made of: composed worlds, with tasks as the procedural writer proposes them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from envolve.agents.base import Brief
from envolve.agents.procedural.architect import ProceduralArchitect
from envolve.agents.procedural.coder import ProceduralCoder
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.scenarios import scenario_of
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment

SCENARIOS = (
    "A climbing gym where members book lessons and hire gear",
    "A housing association that handles repairs, rents and complaints",
    "A wholesaler of garden tools with customers, orders and invoices",
    "A clinic where patients book appointments and pay their bills",
)


class Posed(NamedTuple):
    environment: Environment
    task: Task


async def posed_tasks(worlds: int, tasks: int, *, seed: int) -> AsyncIterator[Posed]:
    """At most `tasks` of each of the first so many worlds, whose gold runs. They have verifiers, since `submit` takes
    its form from them; nothing is audited, since labels do not come from them."""
    writer = ProceduralTaskWriter()
    for text in SCENARIOS[:worlds]:
        brief = Brief(scenario=scenario_of(text), seed=seed_from(seed, "bench judges", text))
        environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
        for task in await writer.propose(environment, tasks, seed=brief.seed):
            run = run_gold(environment, task)
            if run.ok:
                yield Posed(environment, await writer.write_verifier(environment, task, run))
