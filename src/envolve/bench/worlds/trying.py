"""One world built and tried: gates, rules, tasks and their audits, what it is made of, what it cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
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
from envolve.environments.sizes import size_of
from envolve.eval.audit import audit
from envolve.eval.units import Unit
from envolve.memory.signatures import Signature, environment_signature, task_signature
from envolve.memory.signatures.base import digest
from envolve.memory.texts import environment_text

from .making import environment_of, proposed, warm
from .memory_use import begin_peak, peak_mb, resident_mb
from .results import Flaw, TaskTried, WorldTried
from .rights import touches_two_roles
from .stages import Stages

LONG_CALLS, LONG_PATH = 5, 2
"""A task is long if its gold makes at least so many calls, and at least so many stand in one chain of data flow."""


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
    """The world of a scenario. `quick`: no gates and no audits. `keep`: a folder to put the package in. An error in a
    stage is a finding, and the stages after it do with what there is. Raises what `Environment.save` raises."""
    warm()
    begin_peak()
    stages = Stages()
    world = WorldTried(number, scenario.name, scenario.category, seed)
    environment = stages.run("build", partial(environment_of, scenario, seed, size))
    if environment is not None:
        world = _looked_at(world, environment, stages, tasks=tasks, quick=quick, keep=keep)
    # What the world was made of is gone by the time that memory is read.
    del environment
    return world._replace(
        findings=(*world.findings, *stages.crashes),
        seconds=stages.seconds,
        peak_mb=peak_mb(),
        resident_mb=resident_mb(),
    )


def _looked_at(
    world: WorldTried, environment: Environment, stages: Stages, *, tasks: int, quick: bool, keep: Path | None
) -> WorldTried:
    seed = world.seed
    found = None if quick else stages.run("gates", partial(_findings, environment, seed))
    units = stages.run("tasks", partial(proposed, environment, tasks, seed)) or []
    looks = [stages.run("audits", partial(_task_tried, environment, unit, seed, quick=quick)) for unit in units]
    looked = [look for look in looks if look is not None]
    marks = stages.run("signature", partial(_marks, environment, [half for look in looked for half in look.written]))
    if keep is not None:
        environment.with_tasks(_kept(environment, units)).save(keep)
    design = environment.spec.provenance.design
    return world._replace(
        environment=environment.id,
        size=size_of(environment),
        archetypes=design["archetypes"],
        links=design["links"],
        findings=found or (),
        unsound=tuple(flaw for look in looked for flaw in look.flaws),
        tasks=tuple(look.task for look in looked),
        **(marks._asdict() if marks else {}),
    )


class _Marks(NamedTuple):
    """What worlds are compared by."""

    text: str
    signature: Signature
    schema: str
    tool_shapes: tuple[str, ...]


def _marks(environment: Environment, tasks: Iterable[Task]) -> _Marks:
    whole = environment.with_tasks(tasks)
    signature = environment_signature(whole)
    return _Marks(
        environment_text(whole), signature, digest(signature.parts["schema"]), tuple(_tool_shapes(environment))
    )


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
    """The tasks as they are audited; those whose gold fails, or that crash, as they were proposed."""
    for half in (half for unit in units for half in unit if half is not None):
        found = Stages().run("verifier", partial(_written, environment, half))
        yield half if found is None or isinstance(found, Flaw) else found


def _tool_shapes(environment: Environment) -> Iterator[str]:
    from envolve.memory.signatures.schema import SchemaShape
    from envolve.memory.signatures.tools import tool_shapes

    shapes = tool_shapes(environment.tools_file, SchemaShape(environment.tables()).roles)
    yield from (digest([shape.role, sorted(shape.guards), sorted(shape.params)]) for shape in shapes.values())
