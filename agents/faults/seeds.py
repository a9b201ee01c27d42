"""The seed with one value changed, printed in canonical form."""

from __future__ import annotations

from typing import Any

import apsw

from ...environments.package import Environment
from ...environments.seed_file import seed_from_database
from ..tester.anatomy import Anatomy
from ..tester.columns import checked_values


def with_value(environment: Environment, table: str, column: str, key: object, value: Any) -> str:
    """INSERT statements of the seed rows, with `column` of the row `key` of `table` set to `value`."""
    name = environment.tables()[table].primary_key[0]
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", environment.image)
    for trigger in _triggers(connection):
        connection.execute(f'DROP TRIGGER "{trigger}"')
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{name}" = ?', (value, key))
    changed = connection.serialize("main")
    connection.close()
    return seed_from_database(changed, environment.schema_sql, environment.spec.clock)


def current(environment: Environment, table: str, column: str, key: object) -> Any:
    """What the seed holds there; None where there is no such row."""
    name = environment.tables()[table].primary_key[0]
    rows = Anatomy(environment).seed_rows(f'SELECT "{column}" FROM "{table}" WHERE "{name}" = :key', key=key)
    return rows[0][0] if rows else None


def other_value(environment: Environment, table: str, column: str, key: object) -> Any:
    """A listed value, one of another row, or (where rows must differ) one much like another row's. None where nothing
    fits."""
    anatomy = Anatomy(environment)
    held = current(environment, table, column, key)
    if held is None:
        return None
    listed = [value for value in checked_values(anatomy.tables[table], column) if value != held]
    rows = anatomy.seed_rows(f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT :held', held=held)
    stored = [row[0] for row in rows if isinstance(row[0], type(held))]
    if listed or (stored and not _unique(environment, table, column)):
        return (listed or stored)[0]
    if isinstance(held, int):
        return held + 1
    # Well-formed wherever the other one is: an address stays one.
    return f"{stored[0][:1]}{stored[0]}" if stored and isinstance(held, str) else None


def _unique(environment: Environment, table: str, column: str) -> bool:
    return any(column in columns for columns in environment.tables()[table].unique)


def _triggers(connection: apsw.Connection) -> list[str]:
    return [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
