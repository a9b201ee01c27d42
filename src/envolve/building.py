"""One environment with audited tasks, without a run: what `envolve new` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from envolve.agents.base import Brief
from envolve.agents.scenarios import scenario_of
from envolve.agents.team import Team, TeamSpec, assemble
from envolve.agents.tester import run_gates
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.environments.sizes import size_of
from envolve.eval.audit import audit, freeze


class Built(NamedTuple):
    """A package on disk. `sound` are the ids of its tasks, `rejected` those not kept with the reason."""

    path: Path
    id: str
    tables: int
    tools: int
    rows: int
    sound: tuple[str, ...]
    rejected: dict[str, str]
    findings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "path": str(self.path)}


async def build_one(scenario: str, folder: Path, *, tasks: int, seed: int) -> Built:
    """Errors: InputError for a scenario that says nothing, ServiceError if the folder cannot be written."""
    team = assemble(TeamSpec())
    brief = Brief(scenario=scenario_of(scenario), seed=seed_from(seed, "new", scenario))
    environment = await team.coder.write(brief, await team.architect.design(brief))
    report = run_gates(environment, seed=seed)
    sound, rejected = await _tasks(team, environment, tasks, seed)
    path = environment.with_tasks(sound).save(folder)
    return Built(
        path=path,
        id=environment.id,
        **size_of(environment)._asdict(),
        sound=tuple(task.id for task in sound),
        rejected=rejected,
        findings=tuple(f"{finding.kind} at {finding.where}: {finding.message}" for finding in report.blocking),
    )


async def _tasks(team: Team, environment: Environment, count: int, seed: int) -> tuple[list[Task], dict[str, str]]:
    sound, rejected = list[Task](), dict[str, str]()
    proposed = await team.task_writer.propose(environment, count, seed=seed) if count else []
    for task in proposed:
        run = run_gold(environment, task)
        if not run.ok:
            rejected[task.id] = f"gold failed: {run.failure}"
            continue
        written = await team.task_writer.write_verifier(environment, task, run)
        report = audit(environment, written, seed=seed)
        if report.grade == "sound":
            sound.append(freeze(written, report))
        else:
            rejected[task.id] = report.grade
    return sound, rejected
