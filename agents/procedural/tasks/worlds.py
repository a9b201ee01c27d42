"""A world to read while a task is written: its rows before anything happens, or between two parts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import apsw

from ....environments.canonical import canonical_json
from ....environments.functions import add_functions
from ....environments.models import Actor, Goal, Task
from ....environments.package import Environment

NO_NAMES: Mapping[str, Any] = {}


class Unfit(Exception):
    """Something does not fit this world: no row, no wording, a query that its schema does not take. Says what.

    Control flow of the task writer, not an error for people: another plan is tried.
    """


class World:
    """Read-only queries over one database image, as one actor. Bound everywhere: `:actor_id`, `:actor_roles`,
    `:now`, `:today`."""

    def __init__(self, image: bytes, actor: Actor, now: str) -> None:
        self._connection = apsw.Connection(":memory:")
        self._connection.deserialize("main", image)
        self._connection.execute("PRAGMA query_only = 1")
        add_functions(self._connection)
        self._records = self._connection.cursor()
        self._records.row_trace = _named
        self.today: date = datetime.fromisoformat(now).date()
        self.names: dict[str, Any] = {
            "actor_id": actor.id,
            "actor_roles": canonical_json(list(actor.roles)),
            "now": now,
            "today": str(self.today),
        }

    def rows(self, sql: str, values: Mapping[str, Any] = NO_NAMES) -> list[tuple[Any, ...]]:
        """All rows. Raises Unfit for SQL that does not run here, or names that nothing binds."""
        found: list[tuple[Any, ...]] = self._run(self._connection.cursor(), sql, values)
        return found

    def records(self, sql: str, values: Mapping[str, Any] = NO_NAMES) -> list[dict[str, Any]]:
        """All rows as mappings from column names. Raises Unfit."""
        found: list[Any] = self._run(self._records, sql, values)
        return found

    def record(self, sql: str, values: Mapping[str, Any] = NO_NAMES) -> dict[str, Any] | None:
        """The first row as a mapping, if there is one."""
        return next(iter(self.records(sql, values)), None)

    def value(self, sql: str, values: Mapping[str, Any] = NO_NAMES) -> Any:
        """The first value of the first row; None if there is none."""
        rows = self.rows(sql, values)
        return rows[0][0] if rows else None

    def _run(self, cursor: apsw.Cursor, sql: str, values: Mapping[str, Any]) -> list[Any]:
        scalars = {name: value for name, value in values.items() if not isinstance(value, tuple | list)}
        try:
            return cursor.execute(sql, {**self.names, **scalars}).fetchall()
        except (apsw.Error, KeyError) as error:
            raise Unfit(f"{error}: {sql}") from error


def seed_world(environment: Environment, actor: Actor, setup: tuple[str, ...] = ()) -> World:
    """The world in which an episode of a task with this `setup` starts."""
    return World(seed_image(environment, actor, setup), actor, environment.spec.clock)


def seed_image(environment: Environment, actor: Actor, setup: tuple[str, ...]) -> bytes:
    if not setup:
        return environment.image
    bare = Task(id="setup", instruction="-", actor=actor, setup=setup, goal=Goal(text="-"))
    return environment.image_for(bare)


def _named(cursor: apsw.Cursor, row: tuple[Any, ...]) -> Any:
    return {column[0]: value for column, value in zip(cursor.get_description(), row, strict=True)}
