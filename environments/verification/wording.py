"""Unallowed changes as short sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..models import RowChange
from ..states import Group

_LONGEST = 60
_MOST_ROWS = 5


def column_changed(row: RowChange, column: str) -> str:
    return f"{_row(row)}: {column} changed from {_value(row.old[column])} to {_value(row.new[column])}."


def added(row: RowChange) -> str:
    return f"{_row(row)}: added."


def deleted(row: RowChange) -> str:
    return f"{_row(row)}: deleted."


def too_many(row: RowChange) -> str:
    """For a row of a kind that is allowed, but of which there are more than allowed."""
    return f"{_row(row)}: {'added' if row.op == 'insert' else 'deleted'}, one more than is allowed."


def order_changed(group: Group, keys: Sequence[tuple[Any, ...]]) -> str:
    shown = ", ".join(map(_key, keys[:_MOST_ROWS])) + (", …" if len(keys) > _MOST_ROWS else "")
    within = f"{group.grouped_by} {_value(group.value)}"
    return f"{group.table} {shown}: {group.column} changed their order within {within}."


def _row(row: RowChange) -> str:
    return f"{row.table} {_key(tuple(row.key.values()))}"


def _key(values: Sequence[Any]) -> str:
    return str(values[0]) if len(values) == 1 else f"({', '.join(map(str, values))})"


def _value(value: Any) -> str:
    if value is None:
        return "NULL"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
