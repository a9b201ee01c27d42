"""The worlds and tasks that verdicts are measured on: procedural ones, from seeds of this bench's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import NamedTuple

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder, ProceduralScout
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import AuditReport, Task
from envolve.environments.package import Environment
from envolve.eval.audit import freeze
from envolve.eval.labelling.met import noted_audit
from envolve.eval.labelling.trials import EndKey


class Written(NamedTuple):
    """A task whose verifier was audited, frozen where it is sound; the ends that the audit judged, and its seconds."""

    task: Task
    report: AuditReport
    met: frozenset[EndKey]
    seconds: float


def scenarios(count: int, seed: int) -> list[Scenario]:
    """One of each category before the second of any."""
    return asyncio.run(ProceduralScout().scenarios(count, seed=_seed(seed, "scenarios"), known=()))


def environment_of(scenario: Scenario, seed: int) -> Environment:
    async def written() -> Environment:
        brief = Brief(scenario=scenario, seed=_seed(seed, "world"))
        return await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))

    return asyncio.run(written())


def with_tasks(environment: Environment, count: int, seed: int) -> Environment:
    """The environment with up to `count` tasks and their verifiers, refusals beside their twins."""
    writer = ProceduralTaskWriter()
    proposed = asyncio.run(writer.propose(environment, count, seed=_seed(seed, "tasks")))
    return environment.with_tasks(
        asyncio.run(writer.write_verifier(environment, task, run_gold(environment, task))) for task in proposed
    )


def audited_tasks(environment: Environment, seed: int) -> Iterator[Written]:
    """The environment's tasks with their audits, sound or not."""
    for task in environment.tasks.values():
        began = time.perf_counter()
        report, met = noted_audit(environment, task, seed=audit_seed(seed))
        yield Written(freeze(task, report), report, met, time.perf_counter() - began)


def audit_seed(seed: int) -> int:
    return _seed(seed, "audit")


def _seed(seed: int, *what: str) -> int:
    return seed_from("bench verifiers", seed, *what)
