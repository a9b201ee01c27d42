"""Rollouts: whole, in short, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, func, select

from ....environments.models import Outcome, Rollout
from ..engine import Database
from ..tables import ReplacedVerdictRow, RolloutRow


@dataclass(frozen=True, kw_only=True, slots=True)
class RolloutSummary:
    """A rollout without its trace and verdict."""

    version: str
    environment: str
    task: str
    solver: str
    profile: str
    purpose: str
    index: int
    outcome: Outcome
    reward: float | None
    calls: int
    tokens: int
    cost_usd: float
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """Outcomes of one version, profile and purpose: `excluded` rollouts (environment, infra) are not in `n`."""

    version: str
    profile: str
    solver: str
    purpose: str
    passes: int
    n: int
    excluded: int


class StoredRollout(NamedTuple):
    """A rollout and how it is stored: its number, the item that took it, and the task version that it was run as, which
    its episode's seed depends on (another than the rollout's own once its verifier was mended)."""

    id: int
    item: str
    ran_as: str
    rollout: Rollout


class Spent(NamedTuple):
    tokens: int = 0
    cost_usd: float = 0.0

    def plus(self, tokens: int, cost_usd: float) -> Spent:
        return Spent(self.tokens + tokens, self.cost_usd + cost_usd)


class RolloutQueries:
    """`version`, `profile`, `purpose` narrow each query; None means any."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def spent(self) -> Spent:
        """What all rollouts cost together."""
        sums = (func.coalesce(func.sum(RolloutRow.tokens), 0), func.coalesce(func.sum(RolloutRow.cost_usd), 0.0))
        with self._database.begin("read") as connection:
            tokens, cost = connection.execute(select(*sums)).one()
        return Spent(int(tokens), float(cost))

    def by_version(self) -> dict[str, Spent]:
        """What the rollouts of each task version cost, where they cost anything."""
        sums = (func.sum(RolloutRow.tokens), func.sum(RolloutRow.cost_usd))
        statement = select(RolloutRow.version, *sums).where(RolloutRow.tokens > 0).group_by(RolloutRow.version)
        with self._database.begin("read") as connection:
            return {name: Spent(int(tokens), float(cost)) for name, tokens, cost in connection.execute(statement)}

    def iterate(
        self, *, version: str | None = None, profile: str | None = None, purpose: str | None = None, batch: int = 100
    ) -> Iterator[Rollout]:
        """Whole rollouts in the order in which they were stored, read in batches."""
        where = _where(version, profile, purpose)
        columns = [RolloutRow.id, *(getattr(RolloutRow, name) for name in Rollout.model_fields)]
        last = 0
        while True:
            statement = select(*columns).where(RolloutRow.id > last, *where).order_by(RolloutRow.id).limit(batch)
            with self._database.begin("read") as connection:
                rows = connection.execute(statement).mappings().all()
            for row in rows:
                yield Rollout(**{name: row[name] for name in Rollout.model_fields})
            if len(rows) < batch:
                return
            last = rows[-1]["id"]

    def stored(self, version: str) -> list[StoredRollout]:
        """All rollouts of a version, in the order in which they were stored."""
        first = select(func.min(ReplacedVerdictRow.id)).group_by(ReplacedVerdictRow.rollout)
        replaced = select(ReplacedVerdictRow.rollout, ReplacedVerdictRow.version).where(
            ReplacedVerdictRow.id.in_(first)
        )
        columns = [RolloutRow.id, RolloutRow.item, *(getattr(RolloutRow, name) for name in Rollout.model_fields)]
        statement = select(*columns).where(RolloutRow.version == version).order_by(RolloutRow.id)
        with self._database.begin("read") as connection:
            ran_as = {row[0]: row[1] for row in connection.execute(replaced)}
            rows = connection.execute(statement).mappings().all()
        return [
            StoredRollout(
                row["id"],
                row["item"],
                ran_as.get(row["id"], version),
                Rollout(**{name: row[name] for name in Rollout.model_fields}),
            )
            for row in rows
        ]

    def get(self, version: str, profile: str, purpose: str, index: int) -> Rollout | None:
        columns = [getattr(RolloutRow, name) for name in Rollout.model_fields]
        statement = select(*columns).where(*_where(version, profile, purpose), RolloutRow.index == index)
        with self._database.begin("read") as connection:
            row = connection.execute(statement).mappings().one_or_none()
        return None if row is None else Rollout(**row)

    def summaries(
        self, *, version: str | None = None, profile: str | None = None, purpose: str | None = None
    ) -> list[RolloutSummary]:
        columns = [getattr(RolloutRow, name) for name in RolloutSummary.__dataclass_fields__]
        statement = select(*columns).where(*_where(version, profile, purpose)).order_by(RolloutRow.id)
        with self._database.begin("read") as connection:
            return [RolloutSummary(**row) for row in connection.execute(statement).mappings()]

    def tallies(
        self, *, version: str | None = None, profile: str | None = None, purpose: str | None = None
    ) -> list[Tally]:
        """Counted by version, profile and purpose."""
        groups = (RolloutRow.version, RolloutRow.profile, RolloutRow.solver, RolloutRow.purpose)
        counts = {
            "passes": case((RolloutRow.outcome == "completed", 1), else_=0),
            "n": case((RolloutRow.reward.is_not(None), 1), else_=0),
            "excluded": case((RolloutRow.reward.is_(None), 1), else_=0),
        }
        sums = [func.sum(value).label(name) for name, value in counts.items()]
        statement = (
            select(*groups, *sums).where(*_where(version, profile, purpose)).group_by(*groups).order_by(*groups)
        )
        with self._database.begin("read") as connection:
            return [Tally(**row) for row in connection.execute(statement).mappings()]

    def next_index(self, version: str, profile: str, purpose: str) -> int:
        """The first free rollout index."""
        statement = select(func.max(RolloutRow.index)).where(*_where(version, profile, purpose))
        with self._database.begin("read") as connection:
            last = connection.execute(statement).scalar()
        return 0 if last is None else last + 1


def _where(version: str | None, profile: str | None, purpose: str | None) -> list[ColumnElement[bool]]:
    wanted = {"version": version, "profile": profile, "purpose": purpose}
    return [getattr(RolloutRow, name) == value for name, value in wanted.items() if value is not None]
