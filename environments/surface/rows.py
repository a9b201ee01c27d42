"""One row of a result, as its player sees it: fields spelled, ids written out, what belongs to one thing together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from .ids import Prefix

_ID: Final = "_id"


class Cell(NamedTuple):
    """Where a column is shown, at the top or within a group; and how the ids that it holds are written."""

    column: str
    field: str
    group: str | None = None
    prefix: Prefix | None = None


class RowForm:
    """`shown` and `read` undo each other for every row that has the cells' columns."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = tuple(cells)
        self._fields = tuple(cell.field for cell in cells)
        self._simple = all(cell.group is None and cell.prefix is None for cell in cells)

    def shown(self, row: Mapping[str, Any]) -> dict[str, Any]:
        if self._simple:
            return dict(zip(self._fields, row.values(), strict=True))
        found: dict[str, Any] = {}
        for (_, field, group, prefix), value in zip(self.cells, row.values(), strict=True):
            place = found if group is None else found.setdefault(group, {})
            place[field] = value if prefix is None else prefix.written(value)
        return found

    def read(self, row: Mapping[str, Any]) -> dict[str, Any]:
        found = {}
        for column, field, group, prefix in self.cells:
            value = row[field] if group is None else row[group][field]
            found[column] = value if prefix is None else prefix.number(value)
        return found


def groups(columns: Sequence[str], targets: Sequence[str | None], origins: Sequence[str | None]) -> dict[str, str]:
    """Column → the group it goes to. `customer_id` and `customer_name` are one group if the first is known to point at
    the very table that the second is known to come from; `targets` and `origins` tell these tables, None: unknown."""
    found: dict[str, str] = {}
    for column, target in zip(columns, targets, strict=True):
        stem = column.removesuffix(_ID)
        if target is None or stem in ("", column) or stem in columns:
            continue
        members = [
            other
            for other, origin in zip(columns, origins, strict=True)
            if other != column and origin == target and other.startswith(f"{stem}_") and other not in found
        ]
        if members and column not in found:
            found |= dict.fromkeys((column, *members), stem)
    return found
