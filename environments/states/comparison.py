"""What takes part when states are compared: the one definition that gates, `allow` and every comparison use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..models import ColumnClasses, RowChange
from ..schema import TableInfo

Key = tuple[Any, ...]
"""The primary key's values, in its own order."""


class Comparison(NamedTuple):
    """How the states of one environment compare.

    `ignored` holds the clock and code columns of each table, `order` maps its ordering columns to the columns
    that group them; `logs` are whole tables that do not count.
    """

    tables: Mapping[str, TableInfo]
    logs: frozenset[str]
    ignored: Mapping[str, frozenset[str]]
    order: Mapping[str, Mapping[str, str]]

    def key_of(self, change: RowChange) -> Key:
        return tuple(change.key[column] for column in self.tables[change.table].primary_key)

    def counted(self, changes: Iterable[RowChange]) -> list[RowChange]:
        """The changes that count, updates without the columns that do not.

        An update of ignored columns alone is no change, and neither is a row that was deleted and made again as it
        was. Ordering columns are left out here: their values mean nothing by themselves (see `ordering`).
        """
        found = []
        changes = list(changes)
        same = self._made_again(changes)
        for change in changes:
            if change.table in self.logs or (change.table, *self.key_of(change)) in same:
                continue
            if change.op == "update":
                change = self._counted_update(change)
                if not change.new:
                    continue
            found.append(change)
        return found

    def _made_again(self, changes: Iterable[RowChange]) -> set[tuple[Any, ...]]:
        """The rows (table and key) that were deleted and made again as they were, in what counts."""
        deleted, same = dict[tuple[Any, ...], RowChange](), set[tuple[Any, ...]]()
        for change in changes:
            place = (change.table, *self.key_of(change))
            if change.op == "delete":
                deleted[place] = change
            elif change.op == "insert" and place in deleted:
                hidden = self.ignored[change.table].union(self.order[change.table])
                old = deleted[place].old
                if all(value == old[name] for name, value in change.new.items() if name not in hidden):
                    same.add(place)
        return same

    def _counted_update(self, change: RowChange) -> RowChange:
        hidden = self.ignored[change.table].union(self.order[change.table])
        if hidden.isdisjoint(change.new):
            return change
        kept = [column for column in change.new if column not in hidden]
        return change.model_copy(
            update={
                "old": {name: change.old[name] for name in kept},
                "new": {name: change.new[name] for name in kept},
            }
        )


def comparison(tables: Mapping[str, TableInfo], classes: ColumnClasses) -> Comparison:
    """The comparison that `classes` (of environment.yaml) declare for `tables`."""
    ignored = {table: _matching(table, (*classes.clock, *classes.code)) for table in tables}
    order: dict[str, dict[str, str]] = {table: {} for table in tables}
    for place, group in classes.order.items():
        table, _, column = place.partition(".")
        if table in order and column not in ignored[table]:
            order[table][column] = group
    return Comparison(tables, frozenset(classes.log), ignored, order)


def _matching(table: str, places: Sequence[str]) -> frozenset[str]:
    """The columns of `table` that `table.column` and `*.column` name."""
    split = (place.partition(".") for place in places)
    return frozenset(column for name, _, column in split if name in (table, "*"))
