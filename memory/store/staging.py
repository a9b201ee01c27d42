"""What an unfinished item has already paid for: replies, rollouts, audits, found again when work resumes.

Cost is counted here, where it is paid: the tokens and dollars of a staged row are what it cost beyond the other
staged rows of its item. Closing the item moves their sum to it and drops the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from .engine import Database
from .tables import StagingRow


@dataclass(frozen=True, kw_only=True, slots=True)
class Staged:
    """One staged row. `payload` is JSON-like."""

    kind: str
    index: str
    payload: Any
    tokens: int
    cost_usd: float


class Staging:
    """Rows by work key, kind and index. Kinds `rollout` and `audit` hold those models and can be promoted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(
        self, key: str, kind: str, index: int | str, payload: Any, *, tokens: int = 0, cost_usd: float = 0.0
    ) -> bool:
        """Keep `payload` (JSON-like or a Pydantic model). False, with nothing written, if the place is taken.

        Errors: KeyError for a work key that was not planned.
        """
        row = {"key": key, "kind": kind, "index": str(index), "tokens": tokens, "cost_usd": cost_usd}
        try:
            with self._database.begin("write") as connection:
                if _exists(connection, key, kind, str(index)):
                    return False
                connection.execute(insert(StagingRow), [{**row, "payload": payload}])
        except IntegrityError as error:
            raise KeyError(f"work key {key!r} was not planned") from error
        return True

    def get(self, key: str, kind: str, index: int | str) -> Any | None:
        """The payload, or None if nothing is staged there."""
        where = (StagingRow.key == key, StagingRow.kind == kind, StagingRow.index == str(index))
        with self._database.begin("read") as connection:
            return connection.execute(select(StagingRow.payload).where(*where)).scalar_one_or_none()

    def all(self, key: str, kind: str | None = None) -> list[Staged]:
        """All that is staged under a work key, in the order in which it was put."""
        with self._database.begin("read") as connection:
            return staged(connection, key, kind)


def staged(connection: Connection, key: str, kind: str | None = None) -> list[Staged]:
    columns = (StagingRow.kind, StagingRow.index, StagingRow.payload, StagingRow.tokens, StagingRow.cost_usd)
    statement = select(*columns).where(StagingRow.key == key).order_by(StagingRow.id)
    if kind is not None:
        statement = statement.where(StagingRow.kind == kind)
    return [Staged(**row) for row in connection.execute(statement).mappings()]


def spent(connection: Connection, key: str) -> tuple[int, float]:
    """Tokens and dollars of what is staged under a work key."""
    tokens, cost = func.coalesce(func.sum(StagingRow.tokens), 0), func.coalesce(func.sum(StagingRow.cost_usd), 0.0)
    row = connection.execute(select(tokens, cost).where(StagingRow.key == key)).one()
    return int(row[0]), float(row[1])


def drop(connection: Connection, key: str) -> None:
    connection.execute(delete(StagingRow).where(StagingRow.key == key))


def _exists(connection: Connection, key: str, kind: str, index: str) -> bool:
    where = (StagingRow.key == key, StagingRow.kind == kind, StagingRow.index == index)
    return connection.execute(select(StagingRow.id).where(*where)).first() is not None
