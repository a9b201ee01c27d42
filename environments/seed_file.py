"""seed.db: rows taken out of a SQLite file, as INSERT statements. Nothing else of the file is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import apsw

from .building import build_world
from .connections import StepBudget, connected
from .errors import PackageError
from .limits import Limits
from .schema import TableInfo

SEED_DATABASE = "seed.db"
_READING_STEPS = 200


def seed_from_database(content: bytes, schema_sql: str, clock: str) -> str:
    """INSERT statements for every row of the file, table by table in key order.

    The file must have the tables of schema.sql, text for text. Raises PackageError.
    """
    empty = build_world(schema_sql, "", clock)
    limits = Limits(value_bytes=4_000_000, pages=1 << 20)
    budget = StepBudget(limits)
    budget.start(_READING_STEPS)
    try:
        with connected(content, limits=limits, budget=budget) as connection:
            _check_same_tables(connection, empty.tables)
            return "".join(
                statement
                for table in empty.tables.values()
                if not table.view
                for statement in _rows(connection, table)
            )
    except apsw.Error as error:
        raise PackageError(f"is no sound SQLite database: {error}", file=SEED_DATABASE) from error
    except UnicodeDecodeError as error:
        raise PackageError("holds a text that is not valid UTF-8", file=SEED_DATABASE) from error


def _check_same_tables(connection: apsw.Connection, tables: Mapping[str, TableInfo]) -> None:
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    found = {str(name): str(sql) for name, sql in rows}
    wanted = {name: table.sql for name, table in tables.items() if not table.view}
    for name in sorted({*found, *wanted}):
        if found.get(name) != wanted.get(name):
            raise PackageError(
                f"table {name!r} is not as schema.sql has it",
                file=SEED_DATABASE,
                remedy="Make the file by running schema.sql and inserting rows.",
            )


def _rows(connection: apsw.Connection, table: TableInfo) -> Iterator[str]:
    columns = ", ".join(f'"{name}"' for name in table.stored)
    quoted = ", ".join(f'quote("{name}")' for name in table.stored)
    order = ", ".join(f'"{name}"' for name in table.primary_key)
    for row in connection.execute(f'SELECT {quoted} FROM "{table.name}" ORDER BY {order}'):
        yield f'INSERT INTO "{table.name}" ({columns}) VALUES ({", ".join(map(str, row))});\n'
