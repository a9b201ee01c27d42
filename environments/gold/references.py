"""References in a gold program: `$booking.id` in arguments, `FROM $found` in a pick's SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..sql_lexemes import COMMENT, QUOTED_NAME, TEXT

_REFERENCE = re.compile(r"\$([a-z][a-z0-9_]*)((?:\.[A-Za-z0-9_]+)*)")
_IN_SQL = re.compile(
    rf"""{TEXT}|{QUOTED_NAME}|{COMMENT}"""
    r"""|(?P<reference>\$(?P<name>[a-z][a-z0-9_]*)(?P<path>(?:\.[A-Za-z0-9_]+)*))""",
    re.DOTALL,
)


class Unresolved(Exception):
    """A reference that leads nowhere. Control flow: it becomes the failure of a gold run."""


class PickedRow(dict[str, Any]):
    """A row that a pick chose. One with a single column stands for its value where a value is wanted."""


def resolve(value: Any, names: Mapping[str, Any], *, whole_rows: bool = False) -> Any:
    """`value` with its references replaced, nested lists and objects included. Raises Unresolved.

    `whole_rows` keeps picked rows of a single column as objects.
    """
    if isinstance(value, Mapping):
        return {key: resolve(inner, names, whole_rows=whole_rows) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(inner, names, whole_rows=whole_rows) for inner in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    if value.startswith("$$"):
        return value[1:]
    found = look_up(value, names)
    return found if whole_rows else _plain(found)


def written(value: Any) -> Any:
    """A value as a program writes it, for `resolve` to give back: texts that look like references are escaped."""
    if isinstance(value, str):
        return f"${value}" if value.startswith("$") else value
    if isinstance(value, Mapping):
        return {name: written(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [written(inner) for inner in value]
    return value


def look_up(reference: str, names: Mapping[str, Any]) -> Any:
    """What `$name` or `$name.field.0` stands for. Raises Unresolved."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise Unresolved(f"{reference!r} is no reference; a text that starts with a dollar sign starts with $$")
    name, path = match[1], match[2]
    if name not in names:
        known = ", ".join(f"${known}" for known in names) or "none"
        raise Unresolved(f"{reference} refers to nothing: ${name} is not known here (known: {known})")
    found = names[name]
    for field in path.split(".")[1:]:
        found = _step(reference, found, field)
    return found


def _step(reference: str, value: Any, field: str) -> Any:
    if isinstance(value, Mapping) and field in value:
        return value[field]
    if isinstance(value, list) and field.isdecimal() and int(field) < len(value):
        return value[int(field)]
    if isinstance(value, Mapping):
        raise Unresolved(f"{reference}: there is no {field!r} among {', '.join(map(str, value)) or 'no fields'}")
    what = f"a list of {len(value)}" if isinstance(value, list) else f"{value!r}"
    raise Unresolved(f"{reference}: {what} has no {field!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, PickedRow) and len(value) == 1:
        return next(iter(value.values()))
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def names_in(value: Any) -> set[str]:
    """The names that the references in arguments use."""
    if isinstance(value, Mapping):
        return {name for inner in value.values() for name in names_in(inner)}
    if isinstance(value, list | tuple):
        return {name for inner in value for name in names_in(inner)}
    match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return {match[1]} if match else set()


def names_in_sql(sql: str) -> set[str]:
    """The names that a pick's SQL uses."""
    return {match["name"] for match in _sql_references(sql)}


class PickQuery(NamedTuple):
    """A pick's SQL made fit to run: tables are named `"$name"`, values are bound. `tables` are those it reads."""

    sql: str
    values: dict[str, Any]
    tables: frozenset[str]


def pick_query(sql: str, names: Mapping[str, Any]) -> PickQuery:
    """`FROM $found` reads the rows of `found`, whose columns may be written `$found.id`; where `$found` is no
    table of the query, `$found.id` is a value. Raises Unresolved."""
    tables = frozenset(match["name"] for match in _sql_references(sql) if not match["path"])
    values: dict[str, Any] = {}

    def replaced(match: re.Match[str]) -> str:
        reference, name = match["reference"], match["name"]
        if reference is None:
            return match[0]
        if name not in names:
            look_up(reference, names)
        if name in tables:
            return f'"${name}"{match["path"]}'
        values[f"ref_{len(values)}"] = _plain(look_up(reference, names))
        return f":ref_{len(values) - 1}"

    return PickQuery(_IN_SQL.sub(replaced, sql), values, tables)


def _sql_references(sql: str) -> Iterator[re.Match[str]]:
    return (match for match in _IN_SQL.finditer(sql) if match["reference"])
