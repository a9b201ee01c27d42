"""What retrieval and novelty read: texts, vectors and signatures with fates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, func, literal, select

from ...records import Signature, Vector
from ..engine import Database
from ..tables import Base, EnvironmentRow, FindingRow, TaskRow

VectorKind = Literal["environments", "tasks", "defects"]


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorRow:
    """One remembered thing. `key` is an environment's id, a task's version or a finding's number as text;
    `place` grows in the order of commits, `settled_round` is the round in which the fate was last set. A task in play
    has its stage as fate. Defects have no signature."""

    key: str
    place: int
    fate: str
    split: str
    environment: str
    created_round: int
    settled_round: int
    text: str
    vector: Vector | None
    signature: Signature | None = None


class Settled(NamedTuple):
    """A fate, and the round in which it was set."""

    key: str
    fate: str
    settled_round: int


class VectorQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(
        self,
        kind: VectorKind,
        *,
        after: int = 0,
        keys: Collection[str] | None = None,
        signatures: bool = False,
        limit: int | None = None,
    ) -> list[VectorRow]:
        """All environments, all tasks, or all confirmed findings, committed after place `after`, in order;
        with `keys`, only these; at most `limit`."""
        table, columns, where = _source(kind)
        place = columns["place"]
        chosen = [column.label(name) for name, column in columns.items() if signatures or name != "signature"]
        statement = select(*chosen).select_from(table).where(place > after, *where).order_by(place).limit(limit)
        if keys is not None:
            statement = statement.where(columns["key"].in_([int(key) for key in keys] if kind == "defects" else keys))
        with self._database.begin("read") as connection:
            return [_row(row) for row in connection.execute(statement).mappings()]

    def settled(self, kind: VectorKind, since: int) -> list[Settled]:
        """The things whose fate was set in round `since` or later, in order of place."""
        table, columns, where = _source(kind)
        settled = columns["settled_round"]
        chosen = (columns["key"], columns["fate"], settled)
        statement = select(*chosen).select_from(table).where(settled >= since, *where).order_by(columns["place"])
        with self._database.begin("read") as connection:
            return [Settled(str(row[0]), row[1], row[2]) for row in connection.execute(statement)]

    def fates(self, kind: VectorKind) -> dict[str, str]:
        """The fate of each thing that retrieval may show (it has a vector and is not held out), by key, in order."""
        table, columns, where = _source(kind)
        shown = (columns["vector"].is_not(None), columns["split"] == "train", *where)
        statement = (
            select(columns["key"], columns["fate"]).select_from(table).where(*shown).order_by(columns["place"])
        )
        with self._database.begin("read") as connection:
            return {str(row[0]): row[1] for row in connection.execute(statement)}


def _row(row: Any) -> VectorRow:
    return VectorRow(**{**row, "key": str(row["key"])})


def _source(kind: VectorKind) -> tuple[type[Base], dict[str, Any], list[ColumnElement[bool]]]:
    """The table, the columns that make a `VectorRow`, and what narrows the rows."""
    own: dict[str, Any]
    if kind == "environments":
        row = EnvironmentRow
        own = {
            "key": row.id,
            "place": row.position,
            "environment": row.id,
            "fate": row.fate,
            "signature": row.signature,
            "settled_round": row.settled_round,
        }
        return row, own | _shared(row), []
    if kind == "tasks":
        task = TaskRow
        fate = func.coalesce(task.fate, task.stage)
        own = {"key": task.version, "place": task.position, "environment": task.environment, "fate": fate}
        own |= {"signature": task.signature, "settled_round": task.settled_round}
        return task, own | _shared(task), []
    finding = FindingRow
    own = {"key": finding.id, "place": finding.id, "environment": finding.environment, "fate": literal("confirmed")}
    own |= {"settled_round": finding.created_round}
    return finding, own | _shared(finding), [finding.confirmed.is_(True)]


def _shared(row: type[Base]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("split", "created_round", "text", "vector")}
