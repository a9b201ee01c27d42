"""Writing what a later grading came to: verdicts, and all that rests on them, in one transaction.

A verifier that was mended makes another version of its task. Its rollouts, measurements and effects are then that
version's, and so is the work that was done on it; the older one stays as the parent of the new one, is `replaced`, and
counts nowhere.
Each verdict that is replaced, and each rollout that moves to another version, leaves a row in `replaced_verdicts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from sqlalchemy import Connection, func, insert, select, update

from ...environments.models import AuditReport, Verdict
from ..records import EffectRecord, MeasurementRecord, TaskRecord
from .engine import Database
from .mapping import fetch, write
from .tables import (
    AuditRow,
    Base,
    EffectRow,
    ItemRow,
    MeasurementRow,
    ReplacedVerdictRow,
    RolloutRow,
    RoundRow,
    TaskRow,
)

_Record = TypeVar("_Record", MeasurementRecord, EffectRecord)


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskRegrade:
    """A task graded again. `record` is how it stands from now on; where its version is another than `version`,
    `old_reason` says why it stands in the older one's place. `verdicts` are the new ones by number of the rollout: of
    all that are stored under `version`, changed or not. `report` is absent where the verifier was not audited."""

    version: str
    record: TaskRecord
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    report: AuditReport | None = None
    old_reason: str = ""

    @property
    def moved(self) -> bool:
        return self.record.version != self.version


class Regrades:
    """Measurements and effects with their numbers and items, and the one way to change them afterwards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def measurements(self) -> list[tuple[int, str, MeasurementRecord]]:
        """Number, item and record of each, oldest first."""
        return self._numbered(MeasurementRecord, MeasurementRow)

    def effects(self) -> list[tuple[int, str, EffectRecord]]:
        """Number, item and record of each, oldest first."""
        return self._numbered(EffectRecord, EffectRow)

    def _numbered(
        self, record: type[_Record], row: type[MeasurementRow] | type[EffectRow]
    ) -> list[tuple[int, str, _Record]]:
        with self._database.begin("read") as connection:
            keys = connection.execute(select(row.id, row.item).order_by(row.id)).all()
            records = fetch(connection, record, row, order=[row.id])
        return [(int(number), str(item), one) for (number, item), one in zip(keys, records, strict=True)]

    def replaced(self) -> list[tuple[int, str, Verdict]]:
        """Number of the rollout, version and verdict of all that was replaced, oldest first."""
        columns = (ReplacedVerdictRow.rollout, ReplacedVerdictRow.version, ReplacedVerdictRow.verdict)
        with self._database.begin("read") as connection:
            rows = connection.execute(select(*columns).order_by(ReplacedVerdictRow.id))
            return [(number, version, verdict) for number, version, verdict in rows]

    def write(
        self,
        tasks: Sequence[TaskRegrade],
        measurements: Mapping[int, MeasurementRecord],
        effects: Mapping[int, EffectRecord],
    ) -> None:
        """All of it, or nothing; `measurements` and `effects` are the rows that changed, by number.

        Hold the run's lock. Errors: ServiceError where the machine refuses.
        """
        with self._database.begin("durable") as connection:
            settled = connection.execute(select(func.max(RoundRow.number))).scalar() or 0
            moved = {task.version for task in tasks if task.moved}
            for task in tasks:
                _write_task(connection, task, settled, moved)
            for table, records in ((MeasurementRow, measurements), (EffectRow, effects)):
                _replace(connection, table, records)


def _write_task(connection: Connection, task: TaskRegrade, settled: int, moved: AbstractSet[str]) -> None:
    item = connection.execute(select(TaskRow.item).where(TaskRow.version == task.version)).scalar_one()
    if task.moved:
        _make_way(connection, task, item, settled, moved)
    _set(connection, task.record, settled)
    _replace_verdicts(connection, task)
    if task.report is not None:
        row = {"version": task.report.version, "grade": task.report.grade, "report": task.report, "item": item}
        connection.execute(insert(AuditRow), [row])


def _make_way(connection: Connection, task: TaskRegrade, item: str, settled: int, moved: AbstractSet[str]) -> None:
    """The new version beside the old one, which is set aside. A twin that stays is the new one's; one that moves on too
    is set aside as the old one's, so that a pair counts as one there as well."""
    new, old = task.record.version, task.version
    known = connection.execute(select(TaskRow.version).where(TaskRow.version == new)).first()
    if known is None:
        record = replace(task.record, parent=old, operator="mend")
        write(connection, TaskRow, [record], settled_round=settled, item=item)
    staying = update(TaskRow).where(TaskRow.twin_of == old, TaskRow.version.not_in(moved))
    connection.execute(staying.values(twin_of=new))
    refusal = connection.execute(select(TaskRow.twin_of).where(TaskRow.version == old)).scalar_one()
    aside: dict[str, str | int | None] = {
        "stage": "proposed",
        "fate": "replaced",
        "reason": task.old_reason,
        "settled_round": settled,
        "twin_of": refusal if refusal in moved else None,
    }
    connection.execute(update(TaskRow).where(TaskRow.version == old).values(**aside))
    _hand_over(connection, old, new)


def _hand_over(connection: Connection, old: str, new: str) -> None:
    """What was done to the old version counts as done to the new one: it is neither rated nor evolved once more. The
    keys of items stay, and name the old one."""
    for key, inputs in connection.execute(select(ItemRow.key, ItemRow.inputs)).all():
        if inputs.get("task") == old:
            connection.execute(update(ItemRow).where(ItemRow.key == key).values(inputs={**inputs, "task": new}))


def _set(connection: Connection, record: TaskRecord, settled: int) -> None:
    values = {"stage": record.stage, "fate": record.fate, "reason": record.reason, "task": record.task}
    change = update(TaskRow).where(TaskRow.version == record.version)
    connection.execute(change.values(**values, twin_of=record.twin_of, settled_round=settled))


def _replace_verdicts(connection: Connection, task: TaskRegrade) -> None:
    columns = (RolloutRow.id, RolloutRow.outcome, RolloutRow.verdict)
    stored = connection.execute(select(*columns).where(RolloutRow.version == task.version)).all()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for number, outcome, verdict in stored:
        new = task.verdicts.get(number, verdict)
        if new == verdict and not task.moved:
            continue
        kept = {"rollout": number, "version": task.version, "outcome": outcome, "verdict": verdict, "replaced": now}
        connection.execute(insert(ReplacedVerdictRow), [kept])
        values = {"version": task.record.version, "outcome": new.outcome, "reward": new.reward, "verdict": new}
        connection.execute(update(RolloutRow).where(RolloutRow.id == number).values(**values))


def _replace(
    connection: Connection, table: type[Base], records: Mapping[int, MeasurementRecord] | Mapping[int, EffectRecord]
) -> None:
    key = table.__table__.c.id
    for number, record in records.items():
        values = {name: getattr(record, name) for name in record.__dataclass_fields__}
        connection.execute(update(table).where(key == number).values(**values))
