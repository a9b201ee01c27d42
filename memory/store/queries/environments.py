"""Environments and their cards."""

from __future__ import annotations

from sqlalchemy import and_, case, func, select

from ....environments.models import Fate, Frozen
from ...records import EnvironmentRecord
from ..engine import Database
from ..mapping import fetch
from ..tables import EnvironmentRow, TaskRow
from .tasks import counting


class EnvironmentCard(Frozen):
    """An environment in a line: `tables`, `tools`, `rows`, `tasks` and `in_band` (confirmed tasks) are counts, in which
    a refusal and its twin are one."""

    id: str
    scenario: str
    category: str
    fate: Fate
    reason: str
    split: str
    created_round: int
    tables: int
    tools: int
    rows: int
    tasks: int
    in_band: int


class EnvironmentQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, environment_id: str) -> EnvironmentRecord | None:
        with self._database.begin("read") as connection:
            found = fetch(connection, EnvironmentRecord, EnvironmentRow, EnvironmentRow.id == environment_id)
        return found[0] if found else None

    def all(self, *, fate: Fate | None = None, before_round: int | None = None) -> list[EnvironmentRecord]:
        """In the order of their commits; with `before_round`, only what earlier rounds made."""
        where = [] if fate is None else [EnvironmentRow.fate == fate]
        where += [] if before_round is None else [EnvironmentRow.created_round < before_round]
        with self._database.begin("read") as connection:
            return fetch(connection, EnvironmentRecord, EnvironmentRow, *where, order=[EnvironmentRow.position])

    def ids(self, *, fate: Fate) -> list[str]:
        """In the order of their commits."""
        statement = select(EnvironmentRow.id).where(EnvironmentRow.fate == fate).order_by(EnvironmentRow.position)
        with self._database.begin("read") as connection:
            return list(connection.execute(statement).scalars())

    def by_item(self) -> dict[str, str]:
        """Key of the item that built it → environment id."""
        with self._database.begin("read") as connection:
            rows = connection.execute(select(EnvironmentRow.item, EnvironmentRow.id))
            return {item: name for item, name in rows}

    def cards(self, *, fate: Fate | None = None) -> list[EnvironmentCard]:
        """In the order of their commits."""
        confirmed = func.coalesce(func.sum(case((TaskRow.fate == "confirmed", 1), else_=0)), 0)
        names = [name for name in EnvironmentCard.model_fields if name not in {"scenario", "tasks", "in_band"}]
        columns = [getattr(EnvironmentRow, name) for name in names]
        statement = (
            select(
                *columns,
                EnvironmentRow.scenario,
                func.count(TaskRow.version).label("tasks"),
                confirmed.label("in_band"),
            )
            .outerjoin(TaskRow, and_(TaskRow.environment == EnvironmentRow.id, TaskRow.twin_of.is_(None), counting()))
            .group_by(EnvironmentRow.position)
            .order_by(EnvironmentRow.position)
        )
        if fate is not None:
            statement = statement.where(EnvironmentRow.fate == fate)
        with self._database.begin("read") as connection:
            rows = connection.execute(statement).mappings().all()
        return [EnvironmentCard(**{**row, "scenario": _name(row["scenario"])}) for row in rows]


def _name(scenario: dict[str, object]) -> str:
    return str(scenario.get("name") or scenario.get("text") or "")
