"""How large a world is."""

from __future__ import annotations

from typing import NamedTuple

from .connections import connected
from .package import Environment


class Size(NamedTuple):
    """Counts: tables (views aside), tools, rows of the seed state."""

    tables: int
    tools: int
    rows: int


def size_of(environment: Environment) -> Size:
    tables = [table.name for table in environment.tables().values() if not table.view]
    with connected(environment.image) as connection:
        counts = [connection.execute(f'SELECT count(*) FROM "{name}"').fetchone() for name in tables]
    return Size(len(tables), len(environment.tools), sum(int(row[0]) for row in counts if row))
