"""Who can act in a world: rows that hold roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import apsw

from .clock import WorldClock
from .connections import connected
from .errors import InputError, PackageError
from .functions import add_functions
from .models import Actor, EnvironmentSpec
from .schema import TableInfo
from .spec_checks import SPEC_FILE, role_query
from .values import SQLiteValue

_IDS = range(-(2**63), 2**63)
_NAMES = ("name", "full_name", "display_name", "title", "username")
"""Columns that may hold what an actor is called, the best first."""


class Actors:
    """Finds and checks the rows that roles are held by."""

    def __init__(self, spec: EnvironmentSpec, tables: Mapping[str, TableInfo]) -> None:
        self._roles = spec.roles
        self._tables = tables
        self._start = spec.clock

    def check(self, actor: Actor, image: bytes) -> str | None:
        """What the image calls the actor; None if its table has no column for names.

        Raises InputError unless the actor's row is there and holds all of the actor's roles.
        """
        table = self._table(actor)
        with self._reading(image) as connection:
            for role in actor.roles:
                sql = role_query(self._roles[role], table)
                if actor.id not in _IDS or not self._rows(connection, role, sql, actor.id):
                    raise InputError(
                        f"No row of {table.name} with id {actor.id} can act as {role}.",
                        remedy=f"The role is held by: {self._roles[role].where or 'every row'}.",
                    )
            return self._name(connection, table, actor)

    def first(self, image: bytes) -> Actor:
        """The first row that can hold the first role. Raises InputError if there is none."""
        name, role = next(iter(self._roles.items()))
        table = self._tables[role.table]
        condition = f" WHERE {role.where}\n" if role.where else ""
        with self._reading(image) as connection:
            sql = f'SELECT "{table.primary_key[0]}" FROM "{role.table}"{condition} ORDER BY 1 LIMIT 1'
            rows = self._rows(connection, name, sql, None)
        if not rows or not isinstance(rows[0][0], int):
            raise InputError(f"No row can act as {name}.", remedy="Name an actor.")
        return Actor(roles=(name,), id=rows[0][0])

    def _table(self, actor: Actor) -> TableInfo:
        for role in actor.roles:
            if role not in self._roles:
                raise InputError(f"There is no role {role!r}.", remedy=f"Roles: {', '.join(self._roles)}.")
        names = {self._roles[role].table for role in actor.roles}
        if len(names) > 1:
            raise InputError(f"Roles {', '.join(actor.roles)} are not held by rows of one table.")
        return self._tables[names.pop()]

    @contextmanager
    def _reading(self, image: bytes) -> Iterator[apsw.Connection]:
        with connected(image) as connection:
            add_functions(connection)
            yield connection

    def _rows(
        self, connection: apsw.Connection, role: str, sql: str, actor_id: int | None
    ) -> list[tuple[SQLiteValue, ...]]:
        """Rows of a role's query, whose condition may fail on the rows that there are."""
        clock = WorldClock(self._start)
        clock.enter()
        try:
            return connection.execute(sql, {"actor_id": actor_id, "now": clock.now, "today": clock.today}).fetchall()
        except apsw.Error as error:
            raise PackageError(str(error), file=SPEC_FILE, field=f"roles.{role}.where") from error

    @staticmethod
    def _name(connection: apsw.Connection, table: TableInfo, actor: Actor) -> str | None:
        column = next((column for column in _NAMES if column in table.by_name), None)
        if column is None:
            return None
        row = connection.execute(
            f'SELECT "{column}" FROM "{table.name}" WHERE "{table.primary_key[0]}" = ?', (actor.id,)
        ).fetchone()
        return None if row is None or row[0] is None else str(row[0])
