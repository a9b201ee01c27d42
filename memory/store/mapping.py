"""Rows and records map by name: a record's fields are columns of its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, fields
from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy import ColumnElement, Connection, insert, select

from .tables import Base


class Record(Protocol):
    """Any of the record classes."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Record)


def fetch(
    connection: Connection,
    record: type[R],
    table: type[Base],
    *where: ColumnElement[bool],
    order: Iterable[ColumnElement[Any] | Any] = (),
    limit: int | None = None,
) -> list[R]:
    """The rows of `table` for which all of `where` hold, as records, in `order`."""
    columns = [getattr(table, field.name) for field in fields(record)]
    statement = select(*columns).where(*where).order_by(*order).limit(limit)
    return [record(**row) for row in connection.execute(statement).mappings()]


def write(connection: Connection, table: type[Base], records: Iterable[Record], **extra: Any) -> None:
    """Insert records, each with the columns of `extra` besides."""
    rows = [{field.name: getattr(record, field.name) for field in fields(record)} | extra for record in records]
    if rows:
        connection.execute(insert(table), rows)
