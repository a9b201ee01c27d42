"""Other rows and values for operators: the row that is most alike, rows of another owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...environments.models import Param
from ...environments.states.rows import quoted
from ..audit.siblings import likeness
from .base import Call, Scene

_READ = 500


def rows_of(scene: Scene, table: str) -> list[dict[str, Any]]:
    """Rows of the seed state."""
    columns = scene.environment.tables()[table].stored
    names = ", ".join(map(quoted, columns))
    found = scene.context.reader.query(f"SELECT {names} FROM before.{quoted(table)} ORDER BY 1 LIMIT {_READ}")
    return [dict(zip(columns, row, strict=True)) for row in found]


def pointed_at(scene: Scene, call: Call) -> Iterator[tuple[str, str, str]]:
    """(argument, table, column) for each argument that names a row."""
    params = scene.environment.params(call.call)
    for name in call.args:
        param = params.get(name)
        if param is not None and param.ref is not None:
            table, _, column = param.ref.partition(".")
            yield name, table, column


def neighbours(scene: Scene, table: str, column: str, value: Any) -> list[dict[str, Any]]:
    """The other rows of a table, those most like the row of `value` first; none if it is no row of the seed state."""
    rows = rows_of(scene, table)
    own = next((row for row in rows if row[column] == value), None)
    if own is None:
        return []
    return sorted((row for row in rows if row is not own), key=lambda row: -likeness(own, row))


def of_another_owner(scene: Scene, table: str, column: str, value: Any) -> list[dict[str, Any]]:
    """Neighbours of a row that belong to somebody else: a reference to people, or whoever can act, differs."""
    people = {role.table for role in scene.environment.spec.roles.values()}
    info = scene.environment.tables()[table]
    owners = [name for name in info.stored if (info.by_name[name].references or "").partition(".")[0] in people]
    own = next((row for row in rows_of(scene, table) if row[column] == value), None)
    if own is None:
        return []
    others = neighbours(scene, table, column, value)
    return [row for row in others if table in people or any(row[name] != own[name] for name in owners)]


def is_amount(param: Param | None, value: Any) -> bool:
    """Whether an argument is a number that is no id."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return param is not None and number and param.ref is None and param.enum is None


def scaled(value: float) -> list[float]:
    """What an amount becomes in another unit, or rounded."""
    found = [value * 100, value * 10]
    if isinstance(value, int):
        found += [round(value, -places) for places in (2, 1)]
        found += [value // 100] if value > 100 else []
    return [other for other in dict.fromkeys(found) if other != value and other]


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return [name for name in one if name in other and one[name] != other[name]]
