"""Reading rows of a state by key or group, without scanning more than the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import apsw


class StateRows(Protocol):
    """A state that rows can be read from."""

    def select(self, table: str, columns: Sequence[str], where: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """`columns` of the rows of `table` whose columns are (IS) the values of `where`."""
        ...


class ConnectionRows:
    """Rows of one schema of an open connection."""

    def __init__(self, connection: apsw.Connection, schema: str = "main") -> None:
        self._connection = connection
        self._schema = schema

    def select(self, table: str, columns: Sequence[str], where: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        chosen = ", ".join(quoted(column) for column in columns)
        matching = " AND ".join(f"{quoted(column)} IS ?" for column in where)
        sql = f"SELECT {chosen} FROM {quoted(self._schema)}.{quoted(table)} WHERE {matching}"
        return list(self._connection.execute(sql, tuple(where.values())))


class ImageRows:
    """Rows of a serialized database, opened when the first is asked for."""

    def __init__(self, image: bytes) -> None:
        self._image = image
        self._rows: ConnectionRows | None = None

    def select(self, table: str, columns: Sequence[str], where: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        if self._rows is None:
            connection = apsw.Connection(":memory:")
            connection.deserialize("main", self._image)
            self._rows = ConnectionRows(connection)
        return self._rows.select(table, columns, where)


def quoted(name: str) -> str:
    """`name` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
