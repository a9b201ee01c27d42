"""What operators did to difficulty."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, case, func, select

from ....environments.models.fates import UNSOUND
from ...records import EffectRecord
from ..engine import Database
from ..mapping import fetch
from ..tables import EffectRow, TaskRow


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorSummary:
    """One operator in one declared direction, placebos apart.

    `moved` counts applications whose child's pass rate differs from its parent's in the declared direction;
    `shift` is the mean of child minus parent pass rate. Applications without rollouts on both sides are left out,
    and those of which parent or child turned out unsound.
    `children` counts all tasks that the operator made, a refusal with its twin as one, `confirmed` those that ended in
    the band.
    """

    operator: str
    declared: str
    placebo: bool
    applications: int
    moved: int
    shift: float
    children: int
    confirmed: int


class OperatorQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def effects(self, operator: str | None = None) -> list[EffectRecord]:
        """Those of which parent and child are sound, as far as is known."""
        where = [_sound(), *([] if operator is None else [EffectRow.operator == operator])]
        with self._database.begin("read") as connection:
            return fetch(connection, EffectRecord, EffectRow, *where, order=[EffectRow.id])

    def summaries(self) -> list[OperatorSummary]:
        """By operator, direction and placebo flag, sorted by these."""
        shift = 1.0 * EffectRow.child_passes / EffectRow.child_n - 1.0 * EffectRow.parent_passes / EffectRow.parent_n
        as_declared = case((EffectRow.declared == "harden", shift < 0), else_=shift > 0)
        groups = (EffectRow.operator, EffectRow.declared, EffectRow.placebo)
        statement = (
            select(
                *groups,
                func.count().label("applications"),
                func.sum(case((as_declared, 1), else_=0)).label("moved"),
                func.avg(shift).label("shift"),
            )
            .where(EffectRow.child_n > 0, EffectRow.parent_n > 0, _sound())
            .group_by(*groups)
            .order_by(*groups)
        )
        made = self._made()
        with self._database.begin("read") as connection:
            rows = connection.execute(statement).mappings().all()
        return [OperatorSummary(**{**row, **made.get(row["operator"], _NONE)}) for row in rows]

    def _made(self) -> dict[str, dict[str, int]]:
        confirmed = func.sum(case((TaskRow.fate == "confirmed", 1), else_=0))
        statement = (
            select(TaskRow.operator, func.count().label("children"), confirmed.label("confirmed"))
            .where(TaskRow.operator.is_not(None), TaskRow.twin_of.is_(None))
            .group_by(TaskRow.operator)
        )
        with self._database.begin("read") as connection:
            return {row[0]: {"children": row[1], "confirmed": row[2]} for row in connection.execute(statement)}


def _sound() -> ColumnElement[bool]:
    """Neither parent nor child turned out unsound: their rollouts would say nothing of the operator."""
    unsound = select(TaskRow.version).where(TaskRow.fate.in_(UNSOUND))
    return and_(EffectRow.parent.not_in(unsound), EffectRow.child.not_in(unsound))


_NONE = {"children": 0, "confirmed": 0}
