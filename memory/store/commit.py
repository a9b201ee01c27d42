"""One commit: everything an item produced, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select, update

from ...environments.models import AuditReport, Fate, Rollout, Stage
from ..records import (
    AgentStep,
    EffectRecord,
    EnvironmentRecord,
    FindingRecord,
    ItemStatus,
    MeasurementRecord,
    ModelCall,
    TaskRecord,
)
from .mapping import Record, write
from .staging import Staged, staged
from .tables import (
    AgentStepRow,
    AuditRow,
    Base,
    EffectRow,
    EnvironmentRow,
    FindingRow,
    MeasurementRow,
    ModelCallRow,
    RolloutRow,
    TaskRow,
)
from .work import close_item


class Commit:
    """What `RunStore.commit` gives: add rows, then leave the block. `round` is the item's."""

    def __init__(self, connection: Connection, key: str, round_number: int) -> None:
        self._connection = connection
        self._closing: dict[str, Any] = {
            "reason": "",
            "fate": None,
            "seconds": 0.0,
            "result": None,
            "status": "done",
        }
        self.key = key
        self.round = round_number

    def add_environment(self, record: EnvironmentRecord) -> bool:
        """False, with nothing written, if an environment with this id is stored already."""
        if self._has(EnvironmentRow, EnvironmentRow.id == record.id):
            return False
        self._store(EnvironmentRow, [record], settled_round=record.created_round)
        return True

    def add_task(self, record: TaskRecord) -> bool:
        """False, with nothing written, if this version is stored already.

        Errors: ValueError if the split differs from the root's (a lineage stays in its split for ever).
        """
        if self._has(TaskRow, TaskRow.version == record.version):
            return False
        root = self._connection.execute(select(TaskRow.split).where(TaskRow.version == record.root)).scalar()
        if root is not None and root != record.split:
            raise ValueError(f"task {record.id!r} is {record.split}, its lineage is {root}")
        self._store(TaskRow, [record], settled_round=record.created_round)
        return True

    def set_environment(self, environment_id: str, *, fate: Fate, reason: str = "") -> None:
        """Change an environment's fate. Errors: KeyError if it is not stored."""
        change = update(EnvironmentRow).where(EnvironmentRow.id == environment_id)
        values = {"fate": fate, "reason": reason, "settled_round": self.round}
        if not self._connection.execute(change.values(**values)).rowcount:
            raise KeyError(environment_id)

    def set_task(self, version: str, *, stage: Stage, fate: Fate | None, reason: str = "") -> None:
        """Where a task stands now. Errors: KeyError if the version is not stored."""
        change = update(TaskRow).where(TaskRow.version == version)
        values = {"stage": stage, "fate": fate, "reason": reason, "settled_round": self.round}
        if not self._connection.execute(change.values(**values)).rowcount:
            raise KeyError(version)

    def add_audit(self, report: AuditReport) -> None:
        row = {"version": report.version, "grade": report.grade, "report": report, "item": self.key}
        self._connection.execute(insert(AuditRow), [row])

    def add_measurement(self, record: MeasurementRecord) -> None:
        self._store(MeasurementRow, [record])

    def mark_stale(self, profile: str) -> int:
        """Mark all measurements of a solver profile as stale; how many there were."""
        change = update(MeasurementRow).where(MeasurementRow.profile == profile, MeasurementRow.stale.is_(False))
        return self._connection.execute(change.values(stale=True)).rowcount

    def add_rollouts(self, rollouts: Iterable[Rollout]) -> int:
        """Write those whose (version, profile, purpose, index) is new; how many that were."""
        rows = [_rollout_row(rollout, self.key) for rollout in rollouts]
        taken = self._places_of({row["version"] for row in rows})
        fresh = {_place(row): row for row in reversed(rows) if _place(row) not in taken}
        if fresh:
            self._connection.execute(insert(RolloutRow), list(reversed(fresh.values())))
        return len(fresh)

    def add_effect(self, record: EffectRecord) -> None:
        self._store(EffectRow, [record])

    def add_findings(self, records: Iterable[FindingRecord]) -> None:
        for record in records:
            finding = record.finding
            names = ("kind", "where", "severity", "source", "confirmed")
            self._store(FindingRow, [record], **{name: getattr(finding, name) for name in names})

    def add_agent_steps(self, records: Iterable[AgentStep]) -> None:
        self._store(AgentStepRow, list(records))

    def add_model_calls(self, records: Iterable[ModelCall]) -> None:
        self._store(ModelCallRow, list(records))

    def staged(self, kind: str | None = None) -> list[Staged]:
        """What the item staged, in order."""
        return staged(self._connection, self.key, kind)

    def promote(self) -> None:
        """Write the staged rollouts and audits into their tables. All else that was staged is dropped at the end."""
        self.add_rollouts(Rollout.model_validate(row.payload) for row in self.staged("rollout"))
        for row in self.staged("audit"):
            self.add_audit(AuditReport.model_validate(row.payload))

    def finish(
        self,
        *,
        fate: Fate | None = None,
        result: dict[str, Any] | None = None,
        reason: str = "",
        seconds: float = 0.0,
        tokens: int = 0,
        cost_usd: float = 0.0,
        status: ItemStatus = "done",
    ) -> None:
        """What to note at the item when the block ends. `tokens` and `cost_usd`: beyond what was staged."""
        cost = {"tokens": tokens, "cost_usd": cost_usd}
        noted = {"fate": fate, "result": result, "reason": reason, "seconds": seconds, "status": status}
        self._closing = {**noted, **cost}

    def close(self) -> None:
        """Close the item; `RunStore.commit` calls this at the end of the block."""
        close_item(self._connection, self.key, **self._closing)

    def _has(self, table: type[Base], *where: ColumnElement[bool]) -> bool:
        return self._connection.execute(select(1).select_from(table).where(*where).limit(1)).first() is not None

    def _places_of(self, versions: Collection[str]) -> set[tuple[Any, ...]]:
        """The places that rollouts of these task versions take already."""
        columns = [getattr(RolloutRow, name) for name in _PLACE]
        found = self._connection.execute(select(*columns).where(RolloutRow.version.in_(versions)))
        return {tuple(row) for row in found}

    def _store(self, table: type[Base], records: Iterable[Record], **extra: Any) -> None:
        write(self._connection, table, records, item=self.key, **extra)


_PLACE = ("version", "profile", "purpose", "index")


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in _PLACE)


def _rollout_row(rollout: Rollout, key: str) -> dict[str, Any]:
    row = {name: getattr(rollout, name) for name in Rollout.model_fields}
    return row | {"outcome": rollout.verdict.outcome, "reward": rollout.verdict.reward, "item": key}
