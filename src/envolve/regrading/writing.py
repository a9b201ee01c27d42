"""Writing into a run what grading again came to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envolve.environments.models import AuditReport
from envolve.environments.package import Environment
from envolve.eval.audit import freeze
from envolve.graph.package_reports import update_audits
from envolve.graph.placing import ENVIRONMENTS
from envolve.memory.records import TaskRecord
from envolve.memory.store import RunStore
from envolve.memory.store.regrades import TaskRegrade

from .grading import TaskGrading
from .recounting import Recount
from .restanding import restand


def apply(store: RunStore, folder: Path, gradings: Sequence[TaskGrading]) -> list[TaskRecord]:
    """Write what `gradings` came to, and freeze the verifiers that were found sound in their packages; the tasks that
    stand otherwise than before. Packages come first, then one transaction with all the rest: after a kill in between
    the same call comes to the same.

    Hold the run's lock. Errors: ServiceError where the machine refuses.
    """
    graded = [grading for grading in gradings if not grading.left_out]
    found = Recount(store, graded)
    measurements, effects = found.measurements(), found.effects()
    counted = [measurements.get(number, record) for number, _, record in store.regrades.measurements()]
    changed = [task for task in restand(graded, counted) if _differs(store, task)]
    for grading in graded:
        if grading.report is not None and grading.sound:
            _freeze(folder, grading, grading.report)
    store.regrades.write(changed, measurements, effects)
    return [task.record for task in changed]


def _differs(store: RunStore, task: TaskRegrade) -> bool:
    stored = store.tasks.get(task.version)
    if stored is None or task.moved:
        return True
    names = ("stage", "fate", "reason", "task", "twin_of")
    if any(getattr(stored, name) != getattr(task.record, name) for name in names):
        return True
    before = {one.id: one.rollout.verdict for one in store.rollouts.stored(task.version)}
    return any(verdict != before.get(number) for number, verdict in task.verdicts.items())


def _freeze(folder: Path, grading: TaskGrading, report: AuditReport) -> None:
    package = folder / ENVIRONMENTS / grading.record.environment
    environment = Environment.load(package)
    environment.without_tasks().with_tasks([freeze(grading.task, report)]).save(folder / ENVIRONMENTS)
    update_audits(package, [report])
