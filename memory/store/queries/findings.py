"""Findings, their fixes, and how often each source was right."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case, func, select

from ....environments.models import Finding
from ..engine import Database
from ..mapping import fetch
from ..tables import FindingRow


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredFinding:
    """A finding with its number, place in the run, and the fix that worked (may be empty)."""

    id: int
    environment: str
    hash: str
    item: str
    finding: Finding
    fix: str
    created_round: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceRecord:
    """How a gate or critic did: `doubts` are findings whose probe did not reproduce them."""

    source: str
    confirmed: int
    doubts: int
    unprobed: int


class FindingQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(
        self, *, environment: str | None = None, kind: str | None = None, confirmed: bool | None = None
    ) -> list[StoredFinding]:
        wanted = {"environment": environment, "kind": kind, "confirmed": confirmed}
        where = [getattr(FindingRow, name) == value for name, value in wanted.items() if value is not None]
        with self._database.begin("read") as connection:
            return fetch(connection, StoredFinding, FindingRow, *where, order=[FindingRow.id])

    def by_number(self, numbers: list[int]) -> dict[int, StoredFinding]:
        with self._database.begin("read") as connection:
            found = fetch(connection, StoredFinding, FindingRow, FindingRow.id.in_(numbers))
        return {finding.id: finding for finding in found}

    def count_since(self, number: int) -> int:
        """Confirmed findings of round `number` and later."""
        statement = select(func.count()).where(FindingRow.confirmed.is_(True), FindingRow.created_round >= number)
        with self._database.begin("read") as connection:
            return int(connection.execute(statement).scalar_one())

    def kinds(self) -> dict[str, int]:
        """Confirmed findings by kind."""
        statement = (
            select(FindingRow.kind, func.count())
            .where(FindingRow.confirmed.is_(True))
            .group_by(FindingRow.kind)
            .order_by(FindingRow.kind)
        )
        with self._database.begin("read") as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}

    def repeats(self) -> dict[int, tuple[int, int]]:
        """By round: confirmed findings whose kind an earlier round had confirmed, and all confirmed findings."""
        first = (
            select(FindingRow.kind, func.min(FindingRow.created_round).label("first"))
            .where(FindingRow.confirmed.is_(True))
            .group_by(FindingRow.kind)
            .subquery()
        )
        again = func.sum(case((FindingRow.created_round > first.c.first, 1), else_=0))
        statement = (
            select(FindingRow.created_round, again, func.count())
            .join(first, first.c.kind == FindingRow.kind)
            .where(FindingRow.confirmed.is_(True))
            .group_by(FindingRow.created_round)
            .order_by(FindingRow.created_round)
        )
        with self._database.begin("read") as connection:
            return {row[0]: (row[1], row[2]) for row in connection.execute(statement)}

    def sources(self) -> list[SourceRecord]:
        counts = {
            "confirmed": FindingRow.confirmed.is_(True),
            "doubts": FindingRow.confirmed.is_(False),
            "unprobed": FindingRow.confirmed.is_(None),
        }
        sums = [func.sum(case((holds, 1), else_=0)).label(name) for name, holds in counts.items()]
        statement = select(FindingRow.source, *sums).group_by(FindingRow.source).order_by(FindingRow.source)
        with self._database.begin("read") as connection:
            return [SourceRecord(**row) for row in connection.execute(statement).mappings()]
