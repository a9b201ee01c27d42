"""Which changes nothing allows. What ≈ ignores is no change here either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..assignment import assign
from ..changes import ChangeSet
from ..models import Allow, RowChange
from ..states import Comparison, Group, touched_groups
from ..states.comparison import Key
from ..states.ordering import ranks
from ..states.rows import quoted
from .reader import StateReader
from .wording import added, column_changed, deleted, order_changed, too_many


class Allowances:
    """The changes that a verifier allows, for the end state that `reader` shows.

    A keyed entry allows its columns in its row, and the row's free columns with them. Ordering columns are judged
    together: among the rows of a group that nothing allows to move, the order must stay. Rows that are new, gone
    or of another group now do not count in it, so closing a gap or making room is no damage.
    """

    def __init__(
        self,
        reader: StateReader,
        comparison: Comparison,
        allow: Sequence[Allow],
        free: Mapping[str, Sequence[str]],
        binds: Mapping[str, Any],
    ) -> None:
        self._reader = reader
        self._comparison = comparison
        self._allow = allow
        self._free = free
        self._binds = binds

    def violations(self, changes: ChangeSet) -> list[str]:
        """A sentence for each change that nothing allows. Raises SqlProblem if an entry's `where` fails."""
        counted = self._comparison.counted(changes.rows)
        columns = self._columns_by_row(change.table for change in changes.rows if change.op == "update")
        found: list[str] = []
        for table in sorted({change.table for change in counted}):
            rows = [change for change in counted if change.table == table]
            found += self._updates(table, [row for row in rows if row.op == "update"], columns)
            found += self._added_or_deleted(table, [row for row in rows if row.op == "insert"], "insert")
            found += self._added_or_deleted(table, [row for row in rows if row.op == "delete"], "delete")
        for group in touched_groups(self._comparison, changes.rows, self._reader.after):
            found += self._order(group, columns)
        return found

    def _columns_by_row(self, tables: Iterator[str]) -> dict[tuple[str, Key], set[str]]:
        """The columns that keyed entries allow, by row."""
        touched = set(tables)
        found: dict[tuple[str, Key], set[str]] = {}
        for entry in self._allow:
            if entry.key is not None and entry.table in touched:
                for key in self._keys(entry.table, entry.key):
                    columns = found.setdefault((entry.table, key), set())
                    columns.update(entry.columns, self._free.get(entry.table, ()))
        return found

    def _keys(self, table: str, wanted: Mapping[str, Any]) -> list[Key]:
        """The primary keys of the rows of the seed state with these values."""
        primary = self._comparison.tables[table].primary_key
        if set(wanted) == set(primary):
            return [tuple(wanted[name] for name in primary)]
        return self._reader.before.select(table, primary, wanted)

    def _updates(
        self, table: str, rows: Sequence[RowChange], columns: Mapping[tuple[str, Key], set[str]]
    ) -> Iterator[str]:
        for row in rows:
            allowed = columns.get((table, self._comparison.key_of(row)), set())
            for name in row.new:
                if name not in allowed:
                    yield column_changed(row, name)

    def _added_or_deleted(self, table: str, rows: Sequence[RowChange], kind: str) -> Iterator[str]:
        entries = [
            limit
            for entry in self._allow
            if entry.table == table and (limit := entry.insert if kind == "insert" else entry.delete)
        ]
        if not rows:
            return
        admitted = [self._admitted(table, limit.where, kind) for limit in entries]
        keys = [self._comparison.key_of(row) for row in rows]
        choices = [[place for place, found in enumerate(admitted) if found is None or key in found] for key in keys]
        placed = assign(choices, [limit.max for limit in entries])
        for number, row in enumerate(rows):
            if number not in placed:
                yield too_many(row) if choices[number] else added(row) if kind == "insert" else deleted(row)

    def _admitted(self, table: str, where: str | None, kind: str) -> set[Key] | None:
        """The keys of the added (deleted) rows that satisfy `where`; None for all."""
        if where is None:
            return None
        names = ", ".join(map(quoted, self._comparison.tables[table].primary_key))
        schema = "inserted" if kind == "insert" else "deleted"
        # The line breaks keep a comment at the end of the condition from swallowing the bracket.
        sql = f"SELECT {names} FROM {schema}.{quoted(table)} WHERE (\n{where}\n)"
        return set(self._reader.query(sql, self._binds))

    def _order(self, group: Group, columns: Mapping[tuple[str, Key], set[str]]) -> Iterator[str]:
        fixed = [
            key
            for key in group.before
            if key in group.after and group.column not in columns.get((group.table, key), set())
        ]
        before = ranks({key: group.before[key] for key in fixed})
        after = ranks({key: group.after[key] for key in fixed})
        moved = [key for key in fixed if before[key] != after[key]]
        if moved:
            yield order_changed(group, moved)
