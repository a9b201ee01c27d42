"""What an item's outcome comes to, decided before anything is written: records with their fates.

At the ordered commit each environment and task is held once more against all that is committed, and a task also
against those that its own item brings before it: the later of two alike is a duplicate. A refusal and its twin share
one fate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ..environments.models import Lineage
from ..environments.models.environment import Split
from ..environments.models.fates import UNSOUND
from ..memory.novelty import Candidate, task_counts
from ..memory.records import EnvironmentRecord, TaskRecord
from ..memory.store import RunStore
from ..memory.texts import task_text
from .items import Item
from .requests import BuildOutcome, TaskOutcome
from .round_memory import RoundMemory


class SettledTask(NamedTuple):
    """A task with its fate. It is `new` to the store, `known` (it was measured), or `repeated`: an item came to the
    very version that is stored, which stays as it stands."""

    outcome: TaskOutcome
    record: TaskRecord
    standing: Literal["new", "known", "repeated"]

    @property
    def admitted(self) -> bool:
        """Whether it belongs in the package: its verifier is sound and it repeats nothing."""
        return self.record.stage != "proposed" and self.record.fate not in UNSOUND | {"duplicate"}


class SettledBuild(NamedTuple):
    """`environment` is absent where nothing was built; `tasks` are those of an admitted environment."""

    fate: Any
    reason: str
    environment: EnvironmentRecord | None = None
    tasks: tuple[SettledTask, ...] = ()


class Settler:
    """Decides fates; reads the store and the memory, writes nothing."""

    def __init__(self, store: RunStore, memory: RoundMemory) -> None:
        self._store = store
        self._memory = memory

    def build(self, item: Item, build: BuildOutcome) -> SettledBuild:
        environment = self._environment(item, build)
        if environment is None:
            return SettledBuild(build.fate, build.reason)
        tasks = self._tasks(item, build.tasks, environment) if environment.fate == "admitted" else ()
        return SettledBuild(environment.fate, environment.reason, environment, tasks)

    def tasks(self, item: Item, outcomes: tuple[TaskOutcome, ...]) -> tuple[SettledTask, ...]:
        """Of an item that wrote, measured or evolved; `item.environment` is stored."""
        if item.kind in {"measure", "rate"}:
            return tuple(self._measured(half) for outcome in outcomes for half in outcome.halves())
        environment = self._store.environments.get(str(item.environment))
        if environment is None:
            raise KeyError(f"{item.key}: no environment {item.environment}")
        return self._tasks(item, outcomes, environment)

    def _environment(self, item: Item, build: BuildOutcome) -> EnvironmentRecord | None:
        description, package = build.description, build.package
        if description is None or package is None or item.scenario is None:
            return None
        record = EnvironmentRecord(
            id=package.id,
            hash=package.hash,
            scenario=item.scenario.model_dump(),
            category=item.scenario.category,
            fate=build.fate,
            reason=build.reason,
            tables=description.tables,
            tools=description.tools,
            rows=description.rows,
            text=description.text,
            signature=description.signature,
            vector=self._memory.vector(description.text),
            lineage=Lineage(),
            split=self._memory.split(description),
            created_round=item.round,
        )
        if record.fate == "admitted" and (repeated := self._memory.repeats_now(description)):
            return replace(record, fate="duplicate", reason=repeated)
        return record

    def _tasks(
        self, item: Item, outcomes: tuple[TaskOutcome, ...], environment: EnvironmentRecord
    ) -> tuple[SettledTask, ...]:
        """In the order in which they were proposed."""
        settled = list[SettledTask]()
        beside = dict[str, Candidate]()
        for outcome in outcomes:
            records = self._records(item, outcome, environment)
            stored = [record.version in beside or self._stored(record.version) for record in records]
            repeated = "the very same task is stored" if any(stored) else self._repeats(records, beside)
            if repeated:
                records = [replace(record, stage="audited", fate="duplicate", reason=repeated) for record in records]
            standing: Literal["new", "repeated"] = "repeated" if any(stored) else "new"
            if standing == "new" and task_counts(records[0].fate):
                beside |= {record.version: Candidate(record.vector, record.signature) for record in records}
            halves = zip(outcome.halves(), records, strict=True)
            settled += [SettledTask(half, record, standing) for half, record in halves]
        return tuple(settled)

    def _stored(self, version: str) -> bool:
        return self._store.tasks.get(version) is not None

    def _repeats(self, records: Sequence[TaskRecord], beside: dict[str, Candidate]) -> str:
        """What a task repeats of all that is committed or beside it, whatever its rollouts came to; "" if nothing, and
        for one that is unsound. A twin that an operator made is its parent's request on purpose."""
        if records[0].fate in UNSOUND:
            return ""
        for record in records if records[0].parent is None else records[:1]:
            exempt = (record.parent,) if record.parent else ()
            candidate = Candidate(record.vector, record.signature)
            if repeated := self._memory.task_repeats_now(candidate, exempt, beside):
                return repeated
        return ""

    def _records(self, item: Item, outcome: TaskOutcome, environment: EnvironmentRecord) -> list[TaskRecord]:
        """The task's record, and its twin's, which is of the same lineage and split."""
        first = self._record(item, outcome, environment)
        if outcome.twin is None:
            return [first]
        twin = self._record(item, outcome.twin, environment)
        return [first, replace(twin, root=first.root, twin_of=first.version)]

    def _measured(self, outcome: TaskOutcome) -> SettledTask:
        known = self._store.tasks.get(outcome.version)
        if known is None:
            raise KeyError(outcome.version)
        stage: Any = outcome.stage
        record = replace(known, stage=stage, fate=outcome.fate, reason=outcome.reason)
        return SettledTask(outcome, record, "known")

    def _record(self, item: Item, outcome: TaskOutcome, environment: EnvironmentRecord) -> TaskRecord:
        parent = self._store.tasks.get(item.task) if item.kind == "evolve" and item.task else None
        split: Split = parent.split if parent else environment.split
        text = task_text(outcome.task)
        stage: Any = outcome.stage
        return TaskRecord(
            version=outcome.version,
            id=outcome.task.id,
            environment=environment.id,
            stage=stage,
            fate=outcome.fate,
            reason=outcome.reason,
            task=outcome.task,
            features=outcome.features,
            parent=parent.version if parent else None,
            operator=item.operator if parent else None,
            generation=parent.generation + 1 if parent else 0,
            root=parent.root if parent else outcome.version,
            split=split,
            text=text,
            signature=outcome.signature,
            vector=self._memory.vector(text),
            created_round=item.round,
        )
