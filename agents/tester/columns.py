"""What a column's name says of its values."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...environments.schema import ColumnInfo, TableInfo

_MONEY = re.compile(
    r"(^|_)(price|amount|cost|fee|balance|salary|wage|budget|deposit|refund|paid|cents|subtotal|tax|rent|fare)(_|$)"
)
_NOT_MONEY = re.compile(
    r"^(is|has)_|_(at|on|by|id|count|method|status|type|rate|percent|pct|level|minutes|hours|days)$"
)
_STATUS = re.compile(r"(^|_)(status|stage|phase)$")


def is_money(name: str) -> bool:
    """Whether a column of this name holds an amount of money."""
    return _MONEY.search(name) is not None and _NOT_MONEY.search(name) is None


def is_status(name: str) -> bool:
    """Whether a column of this name says at which point of its life a row is; `state` is left out, since it may be
    part of an address."""
    return _STATUS.search(name) is not None


def moment_format(table: str, column: ColumnInfo, clock: Collection[str]) -> tuple[str, ...] | None:
    """The formats (`date-time`, `date`, `time`) that a text column's values may have; None if it holds no moments."""
    if column.type.upper() != "TEXT":
        return None
    if f"{table}.{column.name}" in clock or f"*.{column.name}" in clock:
        return "date-time", "date"
    if column.name.endswith("_at") or column.name in ("at", "timestamp", "datetime"):
        return ("date-time",)
    if column.name.endswith(("_on", "_date")) or column.name in ("date", "day"):
        return ("date",)
    if column.name.endswith("_time") or column.name == "time":
        return "time", "date-time"
    return None


def checked_values(table: TableInfo, column: str) -> tuple[str, ...]:
    """The texts that a `CHECK (column IN (…))` lists."""
    found = re.search(rf"\b{column}\s+IN\s*\(([^)]*)\)", table.sql, re.IGNORECASE)
    return tuple(re.findall(r"'([^']*)'", found[1])) if found is not None else ()
