"""Rounds and their items: what is to be done, and whether it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update

from ...environments.models import Fate
from ..records import ItemStatus, PlannedItem, RoundRecord, WorkItem
from .engine import Database
from .errors import AlreadyDone
from .mapping import fetch
from .staging import drop, spent
from .tables import ItemRow, RoundRow


class Work:
    """The plan and its progress. Results are written by `RunStore.commit`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def plan_round(self, number: int, plan: dict[str, Any], items: Sequence[PlannedItem]) -> None:
        """Write a round and its items at once. Planning the same round again changes nothing.

        Errors: ValueError if the round exists with other items.
        """
        with self._database.begin("durable") as connection:
            known = set(connection.execute(select(ItemRow.key).where(ItemRow.round == number)).scalars())
            if self._round(connection, number) is not None:
                if known != {item.key for item in items}:
                    raise ValueError(f"round {number} is already planned with other items")
                return
            connection.execute(insert(RoundRow), [{"number": number, "plan": plan, "status": "running"}])
            _add(connection, number, items)

    def add_items(self, number: int, items: Sequence[PlannedItem]) -> None:
        """Add items to a planned round; those that exist stay as they are."""
        with self._database.begin("durable") as connection:
            known = set(connection.execute(select(ItemRow.key)).scalars())
            _add(connection, number, [item for item in items if item.key not in known])

    def finish_round(self, number: int) -> None:
        with self._database.begin("durable") as connection:
            connection.execute(update(RoundRow).where(RoundRow.number == number).values(status="done"))

    def rounds(self) -> list[RoundRecord]:
        with self._database.begin("read") as connection:
            return fetch(connection, RoundRecord, RoundRow, order=[RoundRow.number])

    def item(self, key: str) -> WorkItem | None:
        with self._database.begin("read") as connection:
            return next(iter(fetch(connection, WorkItem, ItemRow, ItemRow.key == key)), None)

    def last_round(self) -> RoundRecord | None:
        with self._database.begin("read") as connection:
            return next(iter(fetch(connection, RoundRecord, RoundRow, order=[RoundRow.number.desc()], limit=1)), None)

    def items(
        self,
        number: int | None = None,
        *,
        status: ItemStatus | None = None,
        kind: str | None = None,
        after_round: int | None = None,
    ) -> list[WorkItem]:
        """Items to which everything given applies, in work-key order within their rounds."""
        where = [] if status is None else [ItemRow.status == status]
        where += [] if kind is None else [ItemRow.kind == kind]
        where += [] if after_round is None else [ItemRow.round > after_round]
        where += [] if number is None else [ItemRow.round == number]
        with self._database.begin("read") as connection:
            return fetch(connection, WorkItem, ItemRow, *where, order=[ItemRow.round, ItemRow.key])

    def is_closed(self, key: str) -> bool:
        """Whether the key is done, failed or set aside."""
        item = self.item(key)
        return item is not None and item.status != "pending"

    def attempt(self, key: str) -> int:
        """Count one more attempt at an item; the new count."""
        with self._database.begin("write") as connection:
            raised = update(ItemRow).where(ItemRow.key == key).values(attempts=ItemRow.attempts + 1)
            count = connection.execute(raised.returning(ItemRow.attempts)).scalar_one_or_none()
        if count is None:
            raise KeyError(key)
        return count

    def give_up(
        self,
        key: str,
        status: Literal["failed", "set_aside"],
        reason: str,
        *,
        fate: Fate | None = None,
        seconds: float = 0.0,
    ) -> None:
        """Close an item without results. What it cost still counts. Errors: AlreadyDone, KeyError."""
        with self._database.begin("durable") as connection:
            require_pending(connection, key)
            close_item(connection, key, status=status, reason=reason, fate=fate, seconds=seconds)

    def _round(self, connection: Connection, number: int) -> RoundRecord | None:
        return next(iter(fetch(connection, RoundRecord, RoundRow, RoundRow.number == number)), None)


def require_pending(connection: Connection, key: str) -> int:
    """The round of a pending item. Errors: AlreadyDone if it is closed, KeyError if it was never planned."""
    row = connection.execute(select(ItemRow.status, ItemRow.round).where(ItemRow.key == key)).one_or_none()
    if row is None:
        raise KeyError(f"work key {key!r} was not planned")
    if row.status != "pending":
        raise AlreadyDone(key)
    number: int = row.round
    return number


def close_item(
    connection: Connection,
    key: str,
    *,
    status: ItemStatus,
    reason: str,
    fate: Fate | None,
    seconds: float,
    result: dict[str, Any] | None = None,
    tokens: int = 0,
    cost_usd: float = 0.0,
) -> None:
    """Mark an item closed, move the cost of what it staged to it, and drop the staging."""
    staged_tokens, staged_cost = spent(connection, key)
    values = {"status": status, "reason": reason, "fate": fate, "seconds": seconds, "result": result}
    cost = {"tokens": staged_tokens + tokens, "cost_usd": staged_cost + cost_usd}
    connection.execute(update(ItemRow).where(ItemRow.key == key).values(**values, **cost))
    drop(connection, key)


def _add(connection: Connection, number: int, items: Sequence[PlannedItem]) -> None:
    fresh = {"round": number, "status": "pending", "reason": "", "attempts": 0}
    cost = {"seconds": 0.0, "tokens": 0, "cost_usd": 0.0}
    rows = [{"key": item.key, "kind": item.kind, "inputs": item.inputs, **fresh, **cost} for item in items]
    if rows:
        connection.execute(insert(ItemRow), rows)
