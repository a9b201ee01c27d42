"""How far the run is: the funnel, fates and totals."""

from __future__ import annotations

from typing import Any, get_args

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute

from ....environments.models import Fate, Frozen, Stage
from ...records import RunInfo, RunState
from ..engine import Database
from ..mapping import fetch
from ..tables import EnvironmentRow, ItemRow, RolloutRow, RunRow, StagingRow, TaskRow
from .environments import EnvironmentQueries
from .tasks import counting

_STAGES: tuple[Stage, ...] = get_args(Stage)


class Totals(Frozen):
    """`tokens` and `cost_usd` include what unfinished items have already paid for; `seconds` is the run's wall
    time, `work_seconds` the time of all closed items."""

    rollouts: int
    tokens: int
    cost_usd: float
    seconds: float
    work_seconds: float


class TaskCounts(Frozen):
    """The funnel: how many tasks reached each stage (or a later one), and what the rejected were rejected for. A refusal
    and its twin count as one; `pairs` says how many of the proposed are such. A version that was replaced counts as
    none: the one in its place does."""

    proposed: int
    audited: int
    accepted: int
    confirmed: int
    rejected: dict[Fate, int]
    pairs: int = 0


class EnvironmentLine(Frozen):
    id: str
    scenario: str
    tables: int
    tools: int
    rows: int
    tasks: int
    in_band: int


class Status(Frozen):
    """What `status --json` says of a run, its name aside."""

    state: RunState
    environments: tuple[EnvironmentLine, ...]
    tasks: TaskCounts
    rollouts: int
    tokens: int
    cost_usd: float
    seconds: float


class Progress:
    def __init__(self, database: Database) -> None:
        self._database = database

    def environment_fates(self) -> dict[str, int]:
        return self._count(EnvironmentRow.fate)

    def task_fates(self) -> dict[str, int]:
        """Tasks by fate; those still in play are not counted, nor are twins, which share their refusal's."""
        return self._count(TaskRow.fate, TaskRow.twin_of.is_(None), counting())

    def task_stages(self) -> dict[str, int]:
        """Tasks by the stage they are at, a refusal and its twin as one."""
        return self._count(TaskRow.stage, TaskRow.twin_of.is_(None), counting())

    def item_statuses(self) -> dict[str, int]:
        return self._count(ItemRow.status)

    def funnel(self) -> TaskCounts:
        at = self.task_stages()
        reached = {stage: sum(at.get(later, 0) for later in _STAGES[place:]) for place, stage in enumerate(_STAGES)}
        rejected: Any = {fate: n for fate, n in self.task_fates().items() if fate != "confirmed"}
        with self._database.begin("read") as connection:
            pairs = connection.execute(select(func.count(TaskRow.twin_of)).where(counting())).scalar_one()
        return TaskCounts(**reached, rejected=rejected, pairs=pairs)

    def totals(self) -> Totals:
        closed = select(*(func.coalesce(func.sum(column), 0) for column in _ITEM_SUMS))
        staged = select(*(func.coalesce(func.sum(column), 0) for column in (StagingRow.tokens, StagingRow.cost_usd)))
        with self._database.begin("read") as connection:
            item = connection.execute(closed).one()
            open_item = connection.execute(staged).one()
            rollouts = connection.execute(select(func.count(RolloutRow.id))).scalar_one()
            seconds = connection.execute(select(RunRow.seconds)).scalar_one()
        return Totals(
            rollouts=rollouts,
            tokens=int(item[0] + open_item[0]),
            cost_usd=item[1] + open_item[1],
            seconds=seconds,
            work_seconds=item[2],
        )

    def status(self) -> Status:
        cards = EnvironmentQueries(self._database).cards(fate="admitted")
        lines = [
            EnvironmentLine(**{name: getattr(card, name) for name in EnvironmentLine.model_fields}) for card in cards
        ]
        totals = self.totals()
        with self._database.begin("read") as connection:
            state = fetch(connection, RunInfo, RunRow)[0].state
        spent = totals.model_dump(exclude={"work_seconds"})
        return Status(state=state, environments=tuple(lines), tasks=self.funnel(), **spent)

    def _count(self, column: InstrumentedAttribute[Any], *where: ColumnElement[bool]) -> dict[str, int]:
        given = select(column, func.count()).where(column.is_not(None), *where)
        statement = given.group_by(column).order_by(column)
        with self._database.begin("read") as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}


_ITEM_SUMS = (ItemRow.tokens, ItemRow.cost_usd, ItemRow.seconds)
