"""The packages of a run: put in place, and kept to the tasks that are admitted, before the commit that says so.

All of it can be done twice: a kill between a package and its commit leaves what the commit will ask for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..environments.errors import ServiceError
from ..environments.package import Environment, task_version
from ..memory.records import TaskRecord
from .package_reports import update_audits, write_build_report
from .requests import BuildOutcome
from .settling import SettledTask
from .steps import opened

ENVIRONMENTS, CANDIDATES = "environments", "candidates"
"""Folders of a run that hold admitted packages and others."""


class Packages:
    """Those of the run in `folder`. Errors of all methods: ServiceError if the disk refuses."""

    def __init__(self, folder: Path) -> None:
        self._run = folder
        self._folder = folder / ENVIRONMENTS

    def admit(self, candidate: str, build: BuildOutcome, tasks: Sequence[SettledTask]) -> None:
        """The candidate's package with its admitted tasks and its reports; `candidate` is its place in the run."""
        package = self._save(self._run / candidate, tasks)
        write_build_report(package, build)
        self._report(package, tasks)

    def update(self, environment: str, tasks: Sequence[SettledTask]) -> None:
        """Add what is admitted, take out what is there and turned out to be unsound. Other tasks stay."""
        package = self._folder / environment
        if any(task.standing == "new" and task.admitted for task in tasks):
            self._save(package, tasks)
        for task in tasks:
            if task.standing == "known" and not task.admitted:
                _withdraw(package, task.record)
        self._report(package, tasks)

    def _save(self, package: Path, tasks: Sequence[SettledTask]) -> Path:
        admitted = [task.outcome.task for task in tasks if task.standing == "new" and task.admitted]
        return opened(str(package)).without_tasks().with_tasks(admitted).save(self._folder)

    def _report(self, package: Path, tasks: Sequence[SettledTask]) -> None:
        told = [task for task in tasks if task.standing != "repeated"]
        reports = [task.outcome.report for task in told if task.admitted and task.outcome.report is not None]
        gone = [task.record.id for task in told if task.standing == "known" and not task.admitted]
        update_audits(package, reports, without=gone)


def _withdraw(package: Path, task: TaskRecord) -> None:
    """Take this version of the task out of its package."""
    environment = Environment.load(package)
    held = environment.tasks.get(task.id)
    if held is None or task_version(environment, held) != task.version:
        return
    path = package / "tasks" / f"{task.id}.yaml"
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Make the run's folder writable.") from error
