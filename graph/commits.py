"""Commits what an item came to, in the order of work keys: fates are decided, the package is put in place, then one
transaction of run.db writes everything.

Packages come first (they are named by content, so one without its row is harmless), and hold only what is admitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..memory.store import RunStore
from ..memory.store.commit import Commit
from . import evidence
from .items import Item
from .placing import Packages
from .requests import BuildOutcome, Measured, TaskOutcome
from .round_memory import RoundMemory
from .settling import SettledBuild, SettledTask, Settler
from .stepping import AgentsWork, agents_work


class Outcome(NamedTuple):
    """What an item came to, by kind: one of the fields is set; of a rating also `tasks`, where it showed that a task is
    unsound after all."""

    build: BuildOutcome | None = None
    tasks: tuple[TaskOutcome, ...] | None = None
    measured: Measured | None = None
    scenarios: tuple[dict[str, Any], ...] | None = None
    failed: str = ""
    """Why the item is set aside: nothing came of it, and it is not tried again."""


class Committer:
    """Commits items; `folder` is the run's."""

    def __init__(self, store: RunStore, folder: Path, memory: RoundMemory) -> None:
        self._store = store
        self._memory = memory
        self._settler = Settler(store, memory)
        self._packages = Packages(folder)

    def commit(self, item: Item, outcome: Outcome, *, seconds: float) -> None:
        """One item, held once more against what its round has committed before it."""
        self._memory.refresh()
        if outcome.failed:
            self._set_aside(item, outcome.failed, seconds)
        elif outcome.build is not None:
            self._build(item, outcome.build, seconds)
        elif outcome.measured is not None:
            self._rating(item, outcome.measured, outcome.tasks or (), seconds)
        elif outcome.scenarios is not None:
            self._scenarios(item, outcome.scenarios, seconds)
        else:
            self._tasks(item, outcome.tasks or (), seconds)

    def _set_aside(self, item: Item, reason: str, seconds: float) -> None:
        with self._store.commit(item.key) as tx:
            _add_agents_work(tx, agents_work(self._store, item.key))
            tx.finish(reason=reason, seconds=seconds, status="set_aside")

    def _build(self, item: Item, build: BuildOutcome, seconds: float) -> None:
        settled = self._settler.build(item, build)
        if settled.fate == "admitted" and build.package is not None:
            self._packages.admit(build.package.path, build, settled.tasks)
        with self._store.commit(item.key) as tx:
            _add_agents_work(tx, agents_work(self._store, item.key))
            self._add_environment(tx, item, build, settled)
            _add_tasks(tx, item, settled.tasks)
            result = {"attempts": build.attempts}
            tx.finish(fate=settled.fate, reason=settled.reason, seconds=seconds, result=result)

    def _add_environment(self, tx: Commit, item: Item, build: BuildOutcome, settled: SettledBuild) -> None:
        if settled.environment is not None and build.package is not None:
            tx.add_environment(settled.environment)
            tx.add_findings(evidence.findings(item, build.package, build, self._memory, settled.environment.split))

    def _tasks(self, item: Item, outcomes: tuple[TaskOutcome, ...], seconds: float) -> None:
        """`result` counts what a write item admitted: planning does not ask again and again where nothing comes."""
        settled = self._settler.tasks(item, outcomes)
        self._packages.update(str(item.environment), settled)
        fate, reason = _told(item, settled)
        result = {"admitted": sum(task.admitted for task in settled)} if item.kind == "write" else None
        with self._store.commit(item.key) as tx:
            _add_agents_work(tx, agents_work(self._store, item.key))
            _add_tasks(tx, item, settled)
            tx.finish(fate=fate, reason=reason, seconds=seconds, result=result)

    def _rating(self, item: Item, measured: Measured, outcomes: tuple[TaskOutcome, ...], seconds: float) -> None:
        """`outcomes` holds the task if the rating showed that it is unsound after all."""
        settled = self._settler.tasks(item, outcomes)
        self._packages.update(str(item.environment), settled)
        with self._store.commit(item.key) as tx:
            _add_measurement(tx, item, str(item.task), "rate", measured)
            _add_tasks(tx, item, settled)
            tx.finish(seconds=seconds)

    def _scenarios(self, item: Item, scenarios: tuple[dict[str, Any], ...], seconds: float) -> None:
        with self._store.commit(item.key) as tx:
            _add_agents_work(tx, agents_work(self._store, item.key))
            tx.finish(result={"scenarios": list(scenarios)}, seconds=seconds)


def _add_agents_work(tx: Commit, work: AgentsWork) -> None:
    tx.add_agent_steps(work.steps)
    tx.add_model_calls(work.calls)


def _told(item: Item, settled: Sequence[SettledTask]) -> tuple[Any, str]:
    """Fate and reason of an item that worked on tasks: those of its last one."""
    if not settled:
        return None, "the operator does not apply" if item.kind == "evolve" else ""
    return settled[-1].record.fate, settled[-1].record.reason


def _add_tasks(tx: Commit, item: Item, settled: Sequence[SettledTask]) -> None:
    """Tasks, then their evidence: rollouts of a pair are told of its refusal and belong to both."""
    told = [task for task in settled if task.standing != "repeated"]
    for task in told:
        record = task.record
        if task.standing == "known":
            tx.set_task(record.version, stage=record.stage, fate=record.fate, reason=record.reason)
        else:
            tx.add_task(record)
    for task in told:
        _add_evidence(tx, item, task.outcome)


def _add_evidence(tx: Commit, item: Item, outcome: TaskOutcome) -> None:
    if outcome.report is not None:
        tx.add_audit(outcome.report)
    for purpose, measured in (("measure", outcome.measured), ("confirm", outcome.confirmed)):
        if measured is not None:
            _add_measurement(tx, item, outcome.version, purpose, measured)
    if outcome.compared is not None:
        tx.add_rollouts(outcome.compared.rollouts)
    if (effect := evidence.effect(item, outcome)) is not None:
        tx.add_effect(effect)


def _add_measurement(tx: Commit, item: Item, version: str, purpose: str, measured: Measured) -> None:
    tx.add_rollouts(measured.rollouts)
    tx.add_measurement(evidence.measurement(item, version, purpose, measured))
