"""One world built and tried: gates, rules, tasks and their audits, what it is made of, what it cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from envolve.agents.base import Scenario
from envolve.agents.critics import panel_of
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.checking import check_built
from envolve.environments.dataflow import structure_features
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.environments.sizes import Size, size_of
from envolve.eval.audit import audit
from envolve.eval.units import Unit
from envolve.memory.signatures import Signature, environment_signature, task_signature
from envolve.memory.signatures.base import digest
from envolve.memory.texts import environment_text

from .making import environment_of, proposed, warm
from .memory_use import begin_peak, peak_mb
from .rights import touches_two_roles

LONG_CALLS, LONG_PATH = 5, 2
"""A task is long if its gold makes at least so many calls, and at least so many stand in one chain of data flow."""


class Flaw(NamedTuple):
    """A confirmed finding, or a task that is not sound at first try: where, what, and who says so."""

    where: str
    what: str
    source: str


class TaskTried(NamedTuple):
    """A task, or a refusal with its twin. `grade`: of its audit, the worse of two; empty if it was not audited."""

    task: str
    grade: str
    shape: str
    long: bool
    answer_only: bool
    refusal: bool
    two_roles: bool


class WorldTried(NamedTuple):
    """`parts`: archetype or link → variant → choice. `tool_shapes`: a digest for each tool, `schema` one of the whole
    schema. `seconds`: of processor time, by stage. `findings` are the environment's own, `unsound` its tasks'."""

    number: int
    environment: str
    scenario: str
    category: str
    seed: int
    size: Size
    archetypes: Mapping[str, Mapping[str, str]]
    links: Mapping[str, Mapping[str, str]]
    findings: tuple[Flaw, ...]
    unsound: tuple[Flaw, ...]
    tasks: tuple[TaskTried, ...]
    text: str
    signature: Signature
    schema: str
    tool_shapes: tuple[str, ...]
    seconds: Mapping[str, float]
    peak_mb: float

    @property
    def admitted(self) -> bool:
        """Whether nothing was confirmed against it; of a quick look, where nothing is tried, always."""
        return not self.findings


def tried(
    number: int,
    scenario: Scenario,
    *,
    tasks: int,
    seed: int,
    quick: bool,
    size: Mapping[str, int] = MappingProxyType({}),
    keep: Path | None = None,
) -> WorldTried:
    """The world of a scenario. `quick`: no gates and no audits. `keep`: a folder to put the package in."""
    warm()
    begin_peak()
    clock = _Clock()
    environment = environment_of(scenario, seed, size)
    clock.lap("build")
    findings = () if quick else _findings(environment, seed)
    clock.lap("gates")
    units = proposed(environment, tasks, seed)
    clock.lap("tasks")
    looked = [_task_tried(environment, unit, seed, quick=quick) for unit in units]
    clock.lap("audits")
    whole = environment.with_tasks(half for _, _, written in looked for half in written)
    signature = environment_signature(whole)
    clock.lap("signature")
    if keep is not None:
        environment.with_tasks(_kept(environment, units)).save(keep)
    design = environment.spec.provenance.design
    return WorldTried(
        number=number,
        environment=environment.id,
        scenario=scenario.name,
        category=scenario.category,
        seed=seed,
        size=size_of(environment),
        archetypes=design["archetypes"],
        links=design["links"],
        findings=findings,
        unsound=tuple(flaw for _, flaws, _ in looked for flaw in flaws),
        tasks=tuple(task for task, _, _ in looked),
        text=environment_text(whole),
        signature=signature,
        schema=digest(signature.parts["schema"]),
        tool_shapes=tuple(_tool_shapes(environment)),
        seconds=clock.laps,
        peak_mb=peak_mb(),
    )


class _Clock:
    """Processor time of this process, by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.process_time()

    def lap(self, stage: str) -> None:
        now = time.process_time()
        self.laps[stage], self._last = now - self._last, now


def _findings(environment: Environment, seed: int) -> tuple[Flaw, ...]:
    """All that gates and rules confirm, minor things too; a critic that fails counts."""
    checked = asyncio.run(check_built(environment, panel_of(["rules"]), seed=seed))
    return tuple(
        Flaw(finding.where, f"{finding.kind} ({finding.severity}): {finding.message}", finding.source)
        for finding in checked.findings
        if finding.confirmed
    )


class _Looked(NamedTuple):
    task: TaskTried
    flaws: tuple[Flaw, ...]
    written: tuple[Task, ...]


def _task_tried(environment: Environment, unit: Unit, seed: int, *, quick: bool) -> _Looked:
    asked = unit.twin or unit.task
    run = run_gold(environment, asked)
    halves = [half for half in unit if half is not None]
    flaws = () if quick else tuple(_audited(environment, halves, seed))
    features = structure_features(environment, asked, run)
    refusal = unit.task.verifier.submit.status == "refused" or unit.twin is not None
    task = TaskTried(
        task=unit.task.id,
        grade="" if quick else "unsound" if flaws else "sound",
        shape=digest(task_signature(environment, unit.task).parts["shape"]),
        long=features["calls"] >= LONG_CALLS and features["critical_path"] >= LONG_PATH,
        answer_only=unit.twin is None and unit.task.goal.sql is None and features["writes"] == 0,
        refusal=refusal,
        two_roles=touches_two_roles(environment, unit, run),
    )
    return _Looked(task, flaws, tuple(halves))


def _audited(environment: Environment, halves: list[Task], seed: int) -> Iterator[Flaw]:
    """What speaks against the tasks of a unit, as they were first written; nothing where all are sound."""
    written = list[Task]()
    for half in halves:
        found = _written(environment, half)
        if isinstance(found, Flaw):
            yield found
            return
        written.append(found)
    for half in written:
        report = audit(environment.with_tasks(written[1:]), half, seed=seed)
        if report.grade != "sound":
            failed = [f"{gate.gate}: {gate.message}" for gate in report.gates if gate.status == "failed"]
            yield Flaw(half.id, f"{report.grade}: {'; '.join(failed)}", "audit")


def _written(environment: Environment, task: Task) -> Task | Flaw:
    """The task with its first verifier, or why it can have none."""
    run = run_gold(environment, task)
    if run.failure is not None:
        return Flaw(task.id, f"gold failed: {run.failure.message}", "gold")
    return asyncio.run(ProceduralTaskWriter().write_verifier(environment, task, run))


def _kept(environment: Environment, units: Iterable[Unit]) -> Iterator[Task]:
    """The tasks as they are audited; those whose gold fails as they were proposed."""
    for half in (half for unit in units for half in unit if half is not None):
        found = _written(environment, half)
        yield half if isinstance(found, Flaw) else found


def _tool_shapes(environment: Environment) -> Iterator[str]:
    from envolve.memory.signatures.schema import SchemaShape
    from envolve.memory.signatures.tools import tool_shapes

    shapes = tool_shapes(environment.tools_file, SchemaShape(environment.tables()).roles)
    yield from (digest([shape.role, sorted(shape.guards), sorted(shape.params)]) for shape in shapes.values())
