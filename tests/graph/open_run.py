"""A finished run, open for more rounds in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from envolve.environments.models import AuditReport, GateResult, Task
from envolve.environments.package import Environment, task_version
from envolve.graph.commits import Committer, Outcome
from envolve.graph.items import Item
from envolve.graph.requests import Measured, TaskOutcome
from envolve.graph.round_memory import RoundMemory
from envolve.memory.records import PlannedItem, TaskRecord, WorkItem
from envolve.memory.signatures import task_signature
from envolve.memory.store import RunStore

FRESH = Measured(
    decision="confirmed", solver="slip:1", profile="p", passes=6, n=16, excluded=0, posterior={"mean": 0.4}
)


def is_plain(record: TaskRecord) -> bool:
    """Sound, with something to change, nothing to answer and no twin."""
    task = record.task
    paired = record.twin_of or task.twin
    return record.stage != "proposed" and not paired and bool(task.goal.sql) and task.verifier.answer.kind == "none"


class Run(NamedTuple):
    """Rounds are planned and committed by hand."""

    store: RunStore
    folder: Path
    memory: RoundMemory
    environment: Environment

    @property
    def package(self) -> Path:
        return self.folder / "environments" / self.environment.id

    def plan(self, number: int, kind: Any, name: str, **inputs: Any) -> Item:
        item = Item(round=number, kind=kind, name=name, environment=self.environment.id, **inputs)
        planned = PlannedItem(key=item.key, kind=item.kind, inputs=item.model_dump(mode="json", exclude_none=True))
        self.store.work.plan_round(number, {"items": [item.key]}, [planned])
        self.memory.begin(number)
        return item

    def commit(self, item: Item, *tasks: TaskOutcome) -> WorkItem:
        Committer(self.store, self.folder, self.memory).commit(item, Outcome(tasks=tasks), seconds=0.0)
        closed = self.store.work.item(item.key)
        assert closed is not None
        return closed

    def confirmed(self, number: int, record: TaskRecord) -> TaskRecord:
        """The task after a round in which fresh rollouts bore it out."""
        item = self.plan(number, "measure", record.version[:16], task=record.version)
        self.commit(item, self.outcome(record.task, stage="confirmed", fate="confirmed", confirmed=FRESH))
        self.store.work.finish_round(number)
        found = self.store.tasks.get(record.version)
        assert found is not None
        assert found.fate == "confirmed"
        return found

    def outcome(self, task: Task, **changes: Any) -> TaskOutcome:
        """Of a sound task."""
        version = task_version(self.environment, task)
        report = AuditReport(
            environment=self.environment.id,
            task=task.id,
            version=version,
            grade="sound",
            gates=(GateResult(gate="gold", status="passed"),),
        )
        given: dict[str, Any] = {
            "task": task,
            "version": version,
            "stage": "audited",
            "fate": None,
            "reason": "",
            "signature": task_signature(self.environment, task),
            "report": report,
        }
        return TaskOutcome(**given | changes)
