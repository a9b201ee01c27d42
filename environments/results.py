"""From result rows to the JSON that a solver sees."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from .failures import CallFailed, internal
from .limits import Limits
from .plans import Result
from .values import SQLiteValue

Row = Sequence[SQLiteValue]


def read_result(
    result: Result | None, connection: apsw.Connection, bound: Mapping[str, SQLiteValue], limits: Limits
) -> Any:
    """Run the result's queries. Raises CallFailed, or what SQLite raises.

    `{"ok": true}` without result; an object for `one`; `{"value": …}` for `value`; for `many` `{"items": […]}`, if
    paged with `total` and `next_offset`.
    """
    if result is None:
        return {"ok": True}
    if result.kind == "many":
        return _many(result, connection, bound, limits)
    row = connection.execute(result.pages[None].sql, bound).fetchone()
    if result.kind == "value":
        return {"value": None if row is None else _cell(row[0], result.types.get(0))}
    if row is None and result.after_write:
        raise internal("the result's query finds no row after the write")
    if row is None:
        raise CallFailed("not_found", "Nothing was found.")
    return _encode(_within([row], limits), result)[0]


def _many(
    result: Result, connection: apsw.Connection, bound: Mapping[str, SQLiteValue], limits: Limits
) -> dict[str, Any]:
    sort = bound.get("sort") if len(result.pages) > 1 or None not in result.pages else None
    statement = result.pages[sort if isinstance(sort, str) else None]
    rows = _within(connection.execute(statement.sql, bound), limits)
    items = _encode(rows, result)
    if result.count is None:
        return {"items": items}
    total = connection.execute(result.count.sql, bound).fetchone()
    return {"items": items} | _place(bound, len(items), total[0] if total else 0)


def _place(bound: Mapping[str, SQLiteValue], shown: int, total: Any) -> dict[str, Any]:
    offset = bound["offset"]
    following = (offset if isinstance(offset, int) else 0) + shown
    return {"total": total, "next_offset": following if shown and following < total else None}


def _within(rows: Iterable[Row], limits: Limits) -> list[Row]:
    """The rows, taken one by one: the limits hold before there is more in memory than they allow."""
    found: list[Row] = []
    left = limits.result_bytes
    for row in rows:
        for value in row:
            if isinstance(value, str | bytes):
                left -= len(value)
        if left < 0:
            raise CallFailed("limit_exceeded", "The result is too large: narrow it down.")
        if len(found) == limits.result_rows:
            raise CallFailed(
                "limit_exceeded", f"The result has more than {limits.result_rows} items: narrow it down."
            )
        found.append(row)
    return found


def _encode(rows: Iterable[Row], result: Result) -> list[dict[str, Any]]:
    columns, types = result.columns, result.types
    if not types:
        return [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
    return [
        {name: _cell(value, types.get(index)) for index, (name, value) in enumerate(zip(columns, row, strict=True))}
        for row in rows
    ]


def _cell(value: SQLiteValue, type_: str | None) -> Any:
    if type_ is None or value is None:
        return _plain(value)
    if type_ == "boolean":
        return bool(value)
    try:
        return json.loads(value, parse_constant=_no_json) if isinstance(value, str) else value
    except ValueError as error:
        raise internal(f"a column declared json holds {value!r}") from error


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _plain(value: SQLiteValue) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise CallFailed("limit_exceeded", "A value is out of range.", "infinite number in the result")
    if isinstance(value, bytes):
        raise internal("the result holds a blob: return hex(column) instead")
    return value
