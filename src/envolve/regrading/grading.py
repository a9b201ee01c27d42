"""Grading the stored rollouts of a run again, after a verifier was mended by hand or the matching code changed.

The tasks of the run's packages are taken as they lie there. One whose verifier changed is audited again first, with the
ways that the stored rollouts went as alternatives; so is one whose verdicts differ although nothing in it changed: then
the code that matches did. Rollouts of a task that asks something else now are rollouts of another task. A refusal and
its twin are graded, audited and left out as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from envolve.environments.errors import InputError
from envolve.environments.models import AuditReport, Rollout, Task, Verdict, Verifier
from envolve.environments.package import Environment, task_version
from envolve.eval.audit import audit, is_frozen_valid
from envolve.eval.audit.base import Program
from envolve.eval.regrading import Regraded, regrade, shown_alike
from envolve.eval.traces import ways_unlike_gold
from envolve.graph.placing import ENVIRONMENTS
from envolve.graph.rollout_seeds import rollout_seed
from envolve.naming import listed, nearest

if TYPE_CHECKING:
    from envolve.memory.records import TaskRecord
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries.rollouts import StoredRollout

OnTask = Callable[[str, int], None]
"""Told each task before it is graded: its id, and how many rollouts it has."""


class PassChange(NamedTuple):
    """Passes of a solver's rollouts of a task that count, before and after."""

    task: str
    solver: str
    before: int
    before_n: int
    after: int
    after_n: int


class TaskGrading(NamedTuple):
    """One stored task, graded again. `task` is what its package holds now, of `version`; `edited`: a verifier that was
    frozen is another now. `left_out` says why its verdicts stay as they are, whatever `regraded` holds."""

    record: TaskRecord
    task: Task
    version: str
    edited: bool = False
    stored: tuple[StoredRollout, ...] = ()
    regraded: tuple[Regraded, ...] = ()
    report: AuditReport | None = None
    left_out: str = ""
    unverified: bool = False
    """Its package has no verifier for it any more."""

    @property
    def sound(self) -> bool:
        return not self.unverified and (self.report is None or self.report.grade == "sound")

    @property
    def flips(self) -> tuple[Regraded, ...]:
        return () if self.left_out else tuple(found for found in self.regraded if found.flipped)

    @property
    def diverged(self) -> tuple[Regraded, ...]:
        return () if self.left_out else tuple(found for found in self.regraded if found.divergence)

    @property
    def passes(self) -> tuple[PassChange, ...]:
        """Of the solvers for which passes, or what counts, changed."""
        before, after = (
            _tallied((found.rollout, found.rollout.verdict if then else found.after) for found in self.regraded)
            for then in (True, False)
        )
        solvers = dict.fromkeys(found.rollout.solver for found in self.regraded)
        lines = [PassChange(self.record.id, name, *before[name], *after[name]) for name in solvers]
        return tuple(line for line in lines if not self.left_out and line[2:4] != line[4:6])


def regrade_run(
    store: RunStore,
    folder: Path,
    *,
    task: str | None = None,
    unsound: bool = False,
    on_task: OnTask = lambda *_: None,
) -> list[TaskGrading]:
    """Every task with stored rollouts (or `task`, by its id or the beginning of its version), in the order of their
    commits; a twin after its refusal. A task that is not sound is left out, unless `unsound`. Nothing is written.

    Errors: InputError for an unknown task and for a package of another world, PackageError for one that is wrong.
    """
    seed = int(store.info().config["seed"])
    environments: dict[str, Environment] = {}
    found = list[TaskGrading]()
    for unit in _chosen(store, task):
        stored = [tuple(store.rollouts.stored(record.version)) for record in unit]
        if not any(stored):
            continue
        name = unit[0].environment
        if name not in environments:
            environments[name] = _package(store, folder, name)
        gradings = list[TaskGrading]()
        for record, rollouts in zip(unit, stored, strict=True):
            on_task(record.id, len(rollouts))
            gradings.append(_graded(environments[name], record, rollouts, seed))
        found += _as_one(environments[name], gradings, unsound=unsound)
    return found


def _chosen(store: RunStore, task: str | None) -> list[tuple[TaskRecord, ...]]:
    """Tasks; a refusal with its twin, whichever of the two is asked for."""
    if task is None:
        return _units(store, store.tasks.all())
    chosen = store.tasks.resolve(task)
    if not chosen:
        names = sorted({record.id for record in store.tasks.all()})
        meant = nearest(task, names)
        hint = f" Did you mean {meant}?" if meant else ""
        raise InputError(f"The run has no task {task!r}.", remedy=f"Tasks: {listed(names)}.{hint}")
    return _units(store, chosen)


def _units(store: RunStore, records: Sequence[TaskRecord]) -> list[tuple[TaskRecord, ...]]:
    found: dict[str, tuple[TaskRecord, ...]] = {}
    for record in records:
        first = (store.tasks.get(record.twin_of) if record.twin_of else None) or record
        twin = store.tasks.twin(first.version)
        found[first.version] = (first, twin) if twin else (first,)
    return list(found.values())


def _package(store: RunStore, folder: Path, name: str) -> Environment:
    environment, record = Environment.load(folder / ENVIRONMENTS / name), store.environments.get(name)
    if record is None or environment.hash != record.hash:
        raise InputError(
            f"{folder / ENVIRONMENTS / name} is not the world that the run's rollouts were taken in.",
            remedy="Only tasks can be mended in a run; put schema, rows and tools back as they were.",
        )
    return environment


def _graded(
    environment: Environment, record: TaskRecord, stored: tuple[StoredRollout, ...], seed: int
) -> TaskGrading:
    """Verdicts as the task's verifier gives them now, whatever it is worth."""
    task = environment.tasks.get(record.id)
    if task is None:
        told = (record.fate or record.stage).replace("_", " ")
        return TaskGrading(record, record.task, record.version, left_out=f"not in its package ({told})")
    version = task_version(environment, task)
    edited = task.verifier.frozen is not None and not is_frozen_valid(task)
    grading = TaskGrading(record, task, version, edited, stored)
    if task.verifier == Verifier() != record.task.verifier:
        return grading._replace(left_out="its verifier was removed from its package", unverified=True)
    if not shown_alike(record.task, task):
        asks = "it asks something else than when its rollouts were taken (instruction, setup, actor or what is handed in)"
        return grading._replace(left_out=asks)
    regraded = tuple(
        regrade(
            environment,
            record.task,
            task,
            one.rollout,
            seed=rollout_seed(seed, one.item, one.rollout, ran_as=one.ran_as),
        )
        for one in stored
    )
    return grading._replace(regraded=regraded)


def _as_one(environment: Environment, gradings: list[TaskGrading], *, unsound: bool) -> list[TaskGrading]:
    """The gradings of a task, or of a refusal and its twin: if one has to be audited again both are, and if one is left
    out both are."""
    if any(_in_doubt(grading) for grading in gradings) and not any(grading.left_out for grading in gradings):
        gradings = [_audited(environment, grading, unsound=unsound) for grading in gradings]
    out = next((grading for grading in gradings if grading.left_out), None)
    if out is None:
        return gradings
    why = f"it is one with {out.record.id}, which is not graded"
    return [grading if grading.left_out else grading._replace(left_out=why) for grading in gradings]


def _in_doubt(grading: TaskGrading) -> bool:
    """Whether anything is to be written, should the verifier be sound."""
    return grading.version != grading.record.version or grading.edited or bool(grading.flips)


def _audited(environment: Environment, grading: TaskGrading, *, unsound: bool) -> TaskGrading:
    ways = _other_ways(environment, grading.task, grading.regraded)
    grading = grading._replace(report=audit(environment, grading.task, alternatives=ways))
    if grading.report is None or grading.sound or unsound:
        return grading
    return grading._replace(left_out=f"{grading.report.grade}: {_why(grading.report)}")


def _other_ways(environment: Environment, task: Task, regraded: tuple[Regraded, ...]) -> list[Program]:
    judged = [
        found.rollout.model_copy(update={"verdict": found.after}) for found in regraded if found.after is not None
    ]
    return [way.program for way in ways_unlike_gold(environment, task, judged)]


def _why(report: AuditReport) -> str:
    return next((f"{gate.gate}: {gate.message}" for gate in report.gates if gate.status == "failed"), "")


def _tallied(graded: Iterator[tuple[Rollout, Verdict | None]]) -> dict[str, tuple[int, int]]:
    """Passes and rollouts that count, by solver; one that could not be graded does not count."""
    passes, n = Counter[str](), Counter[str]()
    names = set[str]()
    for rollout, verdict in graded:
        names.add(rollout.solver)
        if verdict is not None and verdict.reward is not None:
            n[rollout.solver] += 1
            passes[rollout.solver] += verdict.passed
    return {name: (passes[name], n[name]) for name in names}
