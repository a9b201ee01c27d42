"""Ordering columns, compared by rank within their group: before and after, for the groups that changes touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..models import RowChange
from .comparison import Comparison, Key
from .rows import StateRows


class Group(NamedTuple):
    """The rows that share one value of the grouping column, with their values of the ordering column."""

    table: str
    column: str
    grouped_by: str
    value: Any
    before: Mapping[Key, Any]
    after: Mapping[Key, Any]

    def ranks_before(self) -> dict[Key, int | None]:
        return ranks(self.before)

    def ranks_after(self) -> dict[Key, int | None]:
        return ranks(self.after)


def ranks(positions: Mapping[Key, Any]) -> dict[Key, int | None]:
    """How many rows come strictly before each row, in SQLite's order; None where the position is NULL."""
    placed = [(_sort_key(value), key) for key, value in positions.items() if value is not None]
    ordered = sorted(placed, key=lambda entry: entry[0])
    found: dict[Key, int | None] = dict.fromkeys(positions)
    for place, (value, key) in enumerate(ordered):
        tied = place > 0 and ordered[place - 1][0] == value
        found[key] = found[ordered[place - 1][1]] if tied else place
    return found


def touched_groups(comparison: Comparison, changes: Iterable[RowChange], after: StateRows) -> list[Group]:
    """Every group of an ordering column in which a row was added, deleted, moved or given another position."""
    by_table: dict[str, list[RowChange]] = {}
    for change in changes:
        if change.table not in comparison.logs and comparison.order[change.table]:
            by_table.setdefault(change.table, []).append(change)
    return [
        group
        for table, found in sorted(by_table.items())
        for column, grouped_by in sorted(comparison.order[table].items())
        for group in _groups(comparison, table, column, grouped_by, found, after)
    ]


class _Place(NamedTuple):
    """Where a changed row stood before and stands after: (group, position), or None where it does not exist."""

    key: Key
    before: tuple[Any, Any] | None
    after: tuple[Any, Any] | None


def _groups(
    comparison: Comparison, table: str, column: str, grouped_by: str, changes: list[RowChange], after: StateRows
) -> list[Group]:
    primary = comparison.tables[table].primary_key
    places = [place for change in changes if (place := _place(comparison, change, column, grouped_by, after))]
    values = {end[0] for place in places for end in (place.before, place.after) if end}
    found = []
    for value in sorted(values, key=_sort_key):
        rows = after.select(table, (*primary, column), {grouped_by: value})
        standing = {tuple(row[:-1]): row[-1] for row in rows}
        found.append(Group(table, column, grouped_by, value, _undone(standing, places, value), standing))
    return found


def _place(
    comparison: Comparison, change: RowChange, column: str, grouped_by: str, after: StateRows
) -> _Place | None:
    key = comparison.key_of(change)
    if change.op == "insert":
        return _Place(key, None, (change.new[grouped_by], change.new[column]))
    if change.op == "delete":
        return _Place(key, (change.old[grouped_by], change.old[column]), None)
    if column not in change.new and grouped_by not in change.new:
        return None
    ((group, position),) = after.select(change.table, (grouped_by, column), change.key)
    then = (change.old.get(grouped_by, group), change.old.get(column, position))
    return _Place(key, then, (group, position))


def _undone(standing: Mapping[Key, Any], places: list[_Place], value: Any) -> dict[Key, Any]:
    """The members of a group before the changes, from those after them."""
    then = dict(standing)
    for place in places:
        then.pop(place.key, None)
    then.update({place.key: place.before[1] for place in places if place.before and place.before[0] == value})
    return then


def _sort_key(value: Any) -> tuple[int, Any]:
    """SQLite's order of values of different types."""
    if value is None:
        return (0, 0)
    if isinstance(value, int | float):
        return (1, value)
    return (2, value) if isinstance(value, str) else (3, value)
