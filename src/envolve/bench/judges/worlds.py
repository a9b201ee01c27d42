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
TASKS_EACH = 15


class Posed(NamedTuple):
    environment: Environment
    task: Task


async def posed_tasks(worlds: int, *, seed: int) -> AsyncIterator[Posed]:
    """Tasks of the first so many worlds whose gold runs, with a verifier: `submit` takes its form from it. Nothing is
    audited, since labels do not come from verifiers."""
    writer = ProceduralTaskWriter()
    for text in SCENARIOS[:worlds]:
        brief = Brief(scenario=scenario_of(text), seed=seed_from(seed, "bench judges", text))
        environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
        for task in await writer.propose(environment, TASKS_EACH, seed=brief.seed):
            run = run_gold(environment, task)
            if run.ok:
                yield Posed(environment, await writer.write_verifier(environment, task, run))
