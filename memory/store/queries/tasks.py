"""Tasks, where they stand, and what a planner draws from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select

from ....environments.models import AuditReport, Fate, Stage
from ....environments.models.fates import UNSOUND
from ...records import MeasurementRecord, TaskRecord
from ..engine import Database
from ..mapping import fetch
from ..tables import AuditRow, EnvironmentRow, MeasurementRow, TaskRow


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskStanding:
    """Where a task stands; `measurement` is the latest for the profile and purpose asked for, if any. `twin_of` is the
    version of the refusal whose twin it is: what is measured of the two stands there."""

    version: str
    id: str
    environment: str
    category: str
    stage: Stage
    fate: Fate | None
    split: str
    operator: str | None
    generation: int
    root: str
    twin_of: str | None
    created_round: int
    features: dict[str, float]
    measurement: MeasurementRecord | None


def counting() -> ColumnElement[bool]:
    """Whether a version counts: not where another stands in its place."""
    return or_(TaskRow.fate.is_(None), TaskRow.fate != "replaced")


class TaskQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, version: str) -> TaskRecord | None:
        return next(iter(self._fetch(TaskRow.version == version)), None)

    def twin(self, version: str) -> TaskRecord | None:
        """The twin of a refusal; None for any other task."""
        return next(iter(self._fetch(TaskRow.twin_of == version)), None)

    def twin_ids(self, environment: str) -> list[str]:
        """Ids of an environment's tasks that are the twin of a refusal."""
        statement = select(TaskRow.id).where(TaskRow.environment == environment, TaskRow.twin_of.is_not(None))
        with self._database.begin("read") as connection:
            return list(connection.execute(statement).scalars())

    def resolve(self, name: str, *, environment: str | None = None) -> list[TaskRecord]:
        """The tasks that a person may mean by `name`: an id, a version or the beginning of one (8 or more)."""
        where: ColumnElement[bool] = or_(TaskRow.id == name, TaskRow.version == name)
        if len(name) >= 8:
            where = or_(where, TaskRow.version.startswith(name, autoescape=True))
        return self._fetch(where, *([] if environment is None else [TaskRow.environment == environment]))

    def all(
        self,
        *,
        environment: str | None = None,
        stage: Stage | None = None,
        fate: Fate | None = None,
        root: str | None = None,
        split: str | None = None,
    ) -> list[TaskRecord]:
        """Those to which everything given applies, in the order of their commits."""
        wanted = {"environment": environment, "stage": stage, "fate": fate, "root": root, "split": split}
        return self._fetch(*(getattr(TaskRow, name) == value for name, value in wanted.items() if value is not None))

    def standings(
        self,
        *,
        profile: str | None = None,
        purpose: str | None = None,
        before_round: int | None = None,
        settled_after: int | None = None,
    ) -> list[TaskStanding]:
        """Every task with its category and latest measurement: what planning, regions and reports read.

        `settled_after` leaves those whose fate was set after that round; `before_round` those made before it.
        """
        names = [name for name in TaskStanding.__dataclass_fields__ if name not in {"category", "measurement"}]
        statement = (
            select(*(getattr(TaskRow, name) for name in names), EnvironmentRow.category)
            .join(EnvironmentRow, EnvironmentRow.id == TaskRow.environment)
            .order_by(TaskRow.position)
        )
        if before_round is not None:
            statement = statement.where(TaskRow.created_round < before_round)
        if settled_after is not None:
            statement = statement.where(TaskRow.settled_round > settled_after)
        latest = self.latest_measurements(profile=profile, purpose=purpose, settled_after=settled_after)
        with self._database.begin("read") as connection:
            rows = connection.execute(statement).mappings().all()
        return [TaskStanding(**row, measurement=latest.get(row["version"])) for row in rows]

    def unsound(self, *, before_round: int) -> set[str]:
        """Versions that earlier rounds found to be unsound."""
        where = (TaskRow.fate.in_(UNSOUND), TaskRow.settled_round <= before_round)
        with self._database.begin("read") as connection:
            return set(connection.execute(select(TaskRow.version).where(*where)).scalars())

    def latest_measurements(
        self, *, profile: str | None = None, purpose: str | None = None, settled_after: int | None = None
    ) -> dict[str, MeasurementRecord]:
        """The last measurement of each version (whose fate was set after a round), by version."""
        wanted = {"profile": profile, "purpose": purpose}
        where = [getattr(MeasurementRow, name) == value for name, value in wanted.items() if value is not None]
        if settled_after is not None:
            settled = select(TaskRow.version).where(TaskRow.settled_round > settled_after)
            where.append(MeasurementRow.version.in_(settled))
        last = select(func.max(MeasurementRow.id)).where(*where).group_by(MeasurementRow.version)
        with self._database.begin("read") as connection:
            found = fetch(connection, MeasurementRecord, MeasurementRow, MeasurementRow.id.in_(last))
        return {record.version: record for record in found}

    def measurements(self, version: str | None = None) -> list[MeasurementRecord]:
        """All measurements (of a version), oldest first."""
        where = [] if version is None else [MeasurementRow.version == version]
        with self._database.begin("read") as connection:
            return fetch(connection, MeasurementRecord, MeasurementRow, *where, order=[MeasurementRow.id])

    def stale(self, profile: str) -> list[str]:
        """Versions whose latest measurement for the profile is stale."""
        latest = self.latest_measurements(profile=profile)
        return sorted(version for version, record in latest.items() if record.stale)

    def audit(self, version: str) -> AuditReport | None:
        """The latest audit."""
        statement = select(AuditRow.report).where(AuditRow.version == version).order_by(AuditRow.id.desc()).limit(1)
        with self._database.begin("read") as connection:
            return connection.execute(statement).scalar_one_or_none()

    def in_band(self) -> dict[str, int]:
        """Confirmed tasks by environment, environments without any included. A twin counts with its refusal."""
        confirmed = and_(
            TaskRow.environment == EnvironmentRow.id, TaskRow.fate == "confirmed", TaskRow.twin_of.is_(None)
        )
        statement = (
            select(EnvironmentRow.id, func.count(TaskRow.version))
            .outerjoin(TaskRow, confirmed)
            .where(EnvironmentRow.fate == "admitted")
            .group_by(EnvironmentRow.position)
            .order_by(EnvironmentRow.position)
        )
        with self._database.begin("read") as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}

    def edges(self, roots: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Version, parent, operator and standing of every task (of these lineages), parents before children."""
        names = (
            *("version", "id", "environment", "stage", "fate"),
            *("parent", "operator", "generation", "root", "twin_of", "split"),
        )
        statement = select(*(getattr(TaskRow, name) for name in names)).order_by(TaskRow.generation, TaskRow.position)
        if roots is not None:
            statement = statement.where(TaskRow.root.in_(roots))
        with self._database.begin("read") as connection:
            return [dict(row) for row in connection.execute(statement).mappings()]

    def _fetch(self, *where: ColumnElement[bool]) -> list[TaskRecord]:
        with self._database.begin("read") as connection:
            return fetch(connection, TaskRecord, TaskRow, *where, order=[TaskRow.position])
