"""What a verifier's constants tell a search: which rows it is about, and which values it asks for. Privileged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...environments.models import Verifier
from ...environments.package import Environment
from ..audit.sql_literals import constants, owners


class Constants(NamedTuple):
    """`rows`: values by what they point at (`table.column`); `values`: all others, by the column that they are
    compared with (empty: with none)."""

    rows: dict[str, dict[Any, None]]
    values: dict[str, dict[Any, None]]


def constants_of(environment: Environment, verifier: Verifier) -> Constants:
    found = Constants({}, {})
    tables = environment.tables()
    columns = {name: tuple(table.by_name) for name, table in tables.items()}
    for sql in _texts(verifier):
        for constant in constants(sql):
            compared = constant.compared
            table = next(iter(owners(compared, columns)), None) if compared else None
            if compared is None or table is None:
                found.values.setdefault(compared.column if compared else "", {})[constant.value] = None
            else:
                _put(found, environment, table, compared.column, constant.value)
    for allow in verifier.allow:
        for column, value in (allow.key or {}).items():
            _put(found, environment, allow.table, column, value)
    return found


def _put(found: Constants, environment: Environment, table: str, column: str, value: Any) -> None:
    info = environment.tables()[table]
    target = info.by_name[column].references or (f"{table}.{column}" if column in info.primary_key else None)
    if target is not None:
        found.rows.setdefault(target, {})[value] = None
    else:
        found.values.setdefault(column, {})[value] = None


def _texts(verifier: Verifier) -> Iterator[str]:
    yield from verifier.bind.values()
    yield from (check.sql for check in verifier.require)
    limits = (allow.insert or allow.delete for allow in verifier.allow)
    yield from (limit.where for limit in limits if limit and limit.where)
    if verifier.answer.sql:
        yield verifier.answer.sql
