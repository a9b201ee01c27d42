"""Writes what an item came to into the store: one transaction, in the order of work keys.

Packages are put in place first (they are named by content, so one without its row is harmless).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..environments.models import Finding, Lineage, Task
from ..environments.models.environment import Split
from ..memory.records import Direction, EffectRecord, EnvironmentRecord, FindingRecord, MeasurementRecord, TaskRecord
from ..memory.store import RunStore
from ..memory.store.commit import Commit
from ..memory.texts import defect_text, task_text
from .items import Item
from .package_reports import add_audits, write_build_report
from .planning import PLACEBO
from .requests import BuildOutcome, Measured, TaskOutcome
from .round_memory import RoundMemory
from .stepping import agent_steps
from .steps import opened

ENVIRONMENTS = "environments"
"""Folder of a run that holds admitted packages."""

UNSOUND = frozenset({"broken", "hackable", "ambiguous", "disputed"})


class Outcome(NamedTuple):
    """What an item came to, by kind: one of the fields is set."""

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
        self._folder = folder
        self._memory = memory

    def commit(self, item: Item, outcome: Outcome, *, seconds: float) -> None:
        """One item, held once more against what its round has committed before it."""
        if outcome.failed:
            self._store.work.give_up(item.key, "set_aside", outcome.failed, seconds=seconds)
            return
        steps = agent_steps(self._store, item.key)
        with self._store.commit(item.key) as tx:
            tx.add_agent_steps(steps)
            if outcome.build is not None:
                self._build(tx, item, outcome.build, seconds)
            elif outcome.measured is not None:
                self._rating(tx, item, outcome.measured, seconds)
            elif outcome.scenarios is not None:
                tx.finish(result={"scenarios": list(outcome.scenarios)}, seconds=seconds)
            else:
                self._tasks(tx, item, outcome.tasks or (), seconds)

    def _build(self, tx: Commit, item: Item, build: BuildOutcome, seconds: float) -> None:
        fate, reason = build.fate, build.reason
        description, package = build.description, build.package
        if description is None or package is None or item.scenario is None:
            tx.finish(fate=fate, reason=reason, seconds=seconds)
            return
        vector = self._memory.vector(description.text)
        if fate == "admitted" and (repeated := self._memory.repeats_now(description, vector)):
            fate, reason = "duplicate", repeated
        admitted = fate == "admitted"
        record = EnvironmentRecord(
            id=package.id,
            hash=package.hash,
            scenario=item.scenario.model_dump(),
            category=item.scenario.category,
            fate=fate,
            reason=reason,
            tables=description.tables,
            tools=description.tools,
            rows=description.rows,
            text=description.text,
            signature=description.signature,
            vector=vector,
            lineage=Lineage(),
            split=self._memory.split(description),
            created_round=item.round,
        )
        if admitted:
            self._place(package.path, [outcome.task for outcome in build.tasks if outcome.stage == "audited"])
            write_build_report(self._package(package.id), build)
        tx.add_environment(record)
        tx.add_findings(self._findings(package.id, package.hash, build, item.round))
        if admitted:
            for outcome in build.tasks:
                self._task(tx, item, outcome, package.id, record.split)
        tx.finish(fate=fate, reason=reason, seconds=seconds, result={"attempts": build.attempts})

    def _findings(self, environment: str, digest: str, build: BuildOutcome, number: int) -> list[FindingRecord]:
        texts = [defect_text(finding) for finding in build.findings]
        vectors = [self._memory.vector(text) for text in texts]
        return [
            FindingRecord(
                environment=environment,
                hash=digest,
                finding=finding,
                fix=_fix(finding) if finding.confirmed and finding.where in build.fixed else "",
                text=text,
                vector=vector,
                created_round=number,
            )
            for finding, text, vector in zip(build.findings, texts, vectors, strict=True)
        ]

    def _tasks(self, tx: Commit, item: Item, outcomes: tuple[TaskOutcome, ...], seconds: float) -> None:
        if not outcomes:
            tx.finish(reason="the operator does not apply" if item.kind == "evolve" else "", seconds=seconds)
            return
        environment = str(item.environment)
        record = self._store.environments.get(environment)
        split: Split = record.split if record else "train"
        last = [self._task(tx, item, outcome, environment, split) for outcome in outcomes][-1]
        tx.finish(fate=last.fate, reason=last.reason, seconds=seconds)

    def _task(
        self, tx: Commit, item: Item, outcome: TaskOutcome, environment: str, split: Split
    ) -> TaskRecord | TaskOutcome:
        """What became of the task. One whose gold did not run has no version and is not stored."""
        if not outcome.version:
            return outcome
        record = self._task_record(item, outcome, environment, split)
        if item.kind == "measure":
            tx.set_task(record.version, stage=record.stage, fate=record.fate, reason=record.reason)
        else:
            record = self._held_against_all(record)
            if not tx.add_task(record):
                return replace(record, stage="audited", fate="duplicate", reason="the very same task is stored")
            if record.stage != "proposed" and record.fate != "duplicate":
                self._place(str(self._package(environment)), [outcome.task])
        if outcome.report is not None:
            tx.add_audit(outcome.report)
            add_audits(self._package(environment), [outcome.report])
        for purpose, measured in (("measure", outcome.measured), ("confirm", outcome.confirmed)):
            if measured is not None:
                self._measurement(tx, item, outcome.version, purpose, measured)
        self._effect(tx, item, outcome)
        return record

    def _held_against_all(self, record: TaskRecord) -> TaskRecord:
        """A duplicate if it repeats what is committed, whatever its rollouts came to."""
        if record.fate in UNSOUND:
            return record
        exempt = (record.parent,) if record.parent else ()
        repeated = self._memory.task_repeats_now(self._memory.vector(record.text), record.signature, exempt)
        return replace(record, stage="audited", fate="duplicate", reason=repeated) if repeated else record

    def _task_record(self, item: Item, outcome: TaskOutcome, environment: str, split: Split) -> TaskRecord:
        parent = self._store.tasks.get(item.task) if item.kind == "evolve" and item.task else None
        text = task_text(outcome.task)
        stage: Any = outcome.stage
        return TaskRecord(
            version=outcome.version,
            id=outcome.task.id,
            environment=environment,
            stage=stage,
            fate=outcome.fate,
            reason=outcome.reason,
            task=outcome.task,
            features=outcome.features,
            parent=parent.version if parent else None,
            operator=item.operator if parent else None,
            generation=parent.generation + 1 if parent else 0,
            root=parent.root if parent else outcome.version,
            split=parent.split if parent else split,
            text=text,
            signature=outcome.signature,
            vector=self._memory.vector(text),
            created_round=item.round,
        )

    def _rating(self, tx: Commit, item: Item, measured: Measured, seconds: float) -> None:
        self._measurement(tx, item, str(item.task), "rate", measured)
        tx.finish(seconds=seconds)

    def _measurement(self, tx: Commit, item: Item, version: str, purpose: str, measured: Measured) -> None:
        tx.add_rollouts(measured.rollouts)
        decision: Any = measured.decision
        tx.add_measurement(
            MeasurementRecord(
                version=version,
                profile=measured.profile,
                solver=measured.solver,
                purpose=purpose,
                passes=measured.passes,
                n=measured.n,
                excluded=measured.excluded,
                decision=decision,
                posterior=measured.posterior,
                created_round=item.round,
            )
        )

    def _effect(self, tx: Commit, item: Item, outcome: TaskOutcome) -> None:
        compared = outcome.compared
        if compared is not None:
            tx.add_rollouts(compared.rollouts)
        if compared is None or item.operator is None or item.direction is None or item.task is None:
            return
        declared: Direction = item.direction
        tx.add_effect(
            EffectRecord(
                operator=item.operator,
                placebo=item.operator == PLACEBO,
                declared=declared,
                parent=item.task,
                child=outcome.version,
                profile=compared.profile,
                parent_passes=compared.parent_passes,
                parent_n=compared.parent_n,
                child_passes=compared.child_passes,
                child_n=compared.child_n,
                created_round=item.round,
            )
        )

    def _package(self, environment: str) -> Path:
        return self._folder / ENVIRONMENTS / environment

    def _place(self, candidate: str, tasks: list[Task]) -> None:
        """The package with these tasks among the run's environments; tasks with other ids stay."""
        opened(candidate).without_tasks().with_tasks(tasks).save(self._folder / ENVIRONMENTS)


def _fix(finding: Finding) -> str:
    return f"{finding.where} was rewritten: {finding.message}"
