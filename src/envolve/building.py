"""One environment with audited tasks, without a run: what `envolve new` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from envolve.agents.base import Brief, TaskWriter
from envolve.agents.critics import panel_of
from envolve.agents.llm.errors import Unusable
from envolve.agents.scenarios import scenario_of
from envolve.agents.team import Team, TeamSpec, assemble
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.environments.sizes import size_of
from envolve.eval.audit import audit, freeze
from envolve.eval.units import Unit, units
from envolve.eval.usage import metered
from envolve.memory.embedders.meaning import meaning

from .checking import check_built
from .places import require_folder
from .teams import Spent, spent_by


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
    spent: Spent = Spent()
    trade: str = ""
    """The trade that the scenario was taken for, with its field; empty where none was seen."""
    note: str = ""
    """For whoever gave the scenario: what of it could not be taken up."""
    pairs: int = 0
    """Refusals among `sound`, each with its twin: of the tasks that were wanted the two are one."""

    def as_json(self) -> dict[str, Any]:
        fields = self._asdict()
        del fields["spent"]
        return {**fields, "path": str(self.path), **self.spent._asdict()}


async def build_one(
    scenario: str,
    folder: Path,
    *,
    tasks: int,
    seed: int,
    size: dict[str, int] | None = None,
    surface: Literal["plain", "varied"] = "varied",
    spec: TeamSpec | None = None,
    on_step: Callable[[str], None] | None = None,
) -> Built:
    """One pass without repairs; `on_step` is told what is done next. Verifiers are
    written side by side.

    Errors: InputError for a scenario that says nothing and for a team that cannot work together, ServiceError if the
    folder cannot be written; those of models.
    """
    spec = spec or TeamSpec()
    team, tell = assemble(spec, embed=meaning), on_step or _ignore
    brief = Brief(
        scenario=scenario_of(scenario), seed=seed_from(seed, "new", scenario), size=size or {}, surface=surface
    )
    require_folder(folder)
    with metered() as usage:
        tell("designing")
        blueprint = await team.architect.design(brief)
        tell("writing tools and data")
        environment = await team.coder.write(brief, blueprint)
        tell("testing and reviewing")
        checked = await check_built(environment, panel_of(spec.critics), seed=seed)
        if tasks:
            tell(f"writing {tasks} tasks")
        sound, rejected = await _tasks(team, environment, tasks, seed)
    path = environment.with_tasks(sound).save(folder)
    return Built(
        path=path,
        id=environment.id,
        **size_of(environment)._asdict(),
        sound=tuple(task.id for task in sound),
        rejected=rejected,
        findings=tuple(f"{finding.kind} at {finding.where}: {finding.message}" for finding in checked.blocking),
        spent=spent_by(spec.models, usage),
        trade=_taken_for(environment.spec.provenance.design),
        note=str(environment.spec.provenance.design.get("note", "")),
        pairs=sum(twin is not None for _, twin in units(sound)),
    )


def _taken_for(design: Mapping[str, Any]) -> str:
    return f"{design['trade']} ({design['category']})" if design.get("trade") else ""


async def _tasks(team: Team, environment: Environment, count: int, seed: int) -> tuple[list[Task], dict[str, str]]:
    """Those that are sound, and why the others were not kept. A refusal and its twin are kept both or neither."""
    proposed = units(await team.task_writer.propose(environment, count, seed=seed)) if count else []
    settled = await asyncio.gather(*(_settled(team.task_writer, environment, unit, seed) for unit in proposed))
    pairs = list(zip(proposed, settled, strict=True))
    rejected = {half.id: found for unit, found in pairs if isinstance(found, str) for half in unit if half}
    return [half for _, found in pairs if isinstance(found, list) for half in found], rejected


async def _settled(writer: TaskWriter, environment: Environment, unit: Unit, seed: int) -> list[Task] | str:
    """The tasks of a unit with sound verifiers, or why there are none."""
    written = list[Task]()
    for task in filter(None, unit):
        run = run_gold(environment, task)
        if not run.ok:
            return f"gold failed: {run.failure}"
        try:
            written.append(await writer.write_verifier(environment, task, run))
        except Unusable as error:
            return error.message
    reports = [audit(environment.with_tasks(written[1:]), half, seed=seed) for half in written]
    unsound = [report.grade for report in reports if report.grade != "sound"]
    return unsound[0] if unsound else [freeze(half, report) for half, report in zip(written, reports, strict=True)]


def _ignore(_: str) -> None:
    """Nobody wants to be told."""
