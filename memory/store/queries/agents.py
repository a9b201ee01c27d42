"""What agents did."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from ...records import AgentStep, ModelCall
from ..engine import Database
from ..mapping import fetch
from ..tables import AgentStepRow, ModelCallRow
from .rollouts import Spent


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleTotals:
    """The work of one role by one implementation."""

    role: str
    implementation: str
    steps: int
    seconds: float
    tokens: int
    cost_usd: float


class AgentQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def steps(
        self, *, item: str | None = None, subject: str | None = None, role: str | None = None
    ) -> list[AgentStep]:
        """In the order in which they were stored."""
        wanted = {"item": item, "subject": subject, "role": role}
        where = [getattr(AgentStepRow, name) == value for name, value in wanted.items() if value is not None]
        with self._database.begin("read") as connection:
            return fetch(connection, AgentStep, AgentStepRow, *where, order=[AgentStepRow.id])

    def calls(self, item: str, *, step: int | None = None) -> list[ModelCall]:
        """The model calls of an item's steps, in the order in which they were made."""
        where = [ModelCallRow.item == item, *([] if step is None else [ModelCallRow.step == step])]
        with self._database.begin("read") as connection:
            order = [ModelCallRow.step, ModelCallRow.index]
            return fetch(connection, ModelCall, ModelCallRow, *where, order=order)

    def by_subject(self) -> dict[str, Spent]:
        """What agents' steps about an environment or a task version (the key) cost."""
        sums = (func.sum(AgentStepRow.tokens), func.sum(AgentStepRow.cost_usd))
        statement = select(AgentStepRow.subject, *sums).where(AgentStepRow.tokens > 0).group_by(AgentStepRow.subject)
        with self._database.begin("read") as connection:
            return {name: Spent(int(tokens), float(cost)) for name, tokens, cost in connection.execute(statement)}

    def totals(self) -> list[RoleTotals]:
        groups = (AgentStepRow.role, AgentStepRow.implementation)
        sums = [func.sum(getattr(AgentStepRow, name)).label(name) for name in ("seconds", "tokens", "cost_usd")]
        statement = select(*groups, func.count().label("steps"), *sums).group_by(*groups).order_by(*groups)
        with self._database.begin("read") as connection:
            return [RoleTotals(**row) for row in connection.execute(statement).mappings()]
