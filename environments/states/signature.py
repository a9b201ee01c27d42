"""State equality as a string: equal for two end states from one seed state exactly if they are ≈."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..models import RowChange
from ..schema import Reference
from .comparison import Comparison
from .labelling import Edge, canonical_order
from .ordering import touched_groups
from .rows import StateRows
from .targets import NewRows
from .tokens import token, tokens

Free = Mapping[str, Sequence[str]]
Links = list[tuple[str, int]]
"""(referring columns, number of the new row) for each reference to a new row."""


def signature(comparison: Comparison, changes: Iterable[RowChange], after: StateRows, *, free: Free) -> str:
    """Hex digest of what `changes` (net, from the seed state to `after`) come to.

    Not in it: clock and code columns, log tables, values of `free` columns, positions beyond ranks, and the ids
    of new rows. A row changed in free columns alone is in it as touched, whatever the values: they are the
    solver's choice, which row is not.
    """
    return hashlib.sha256(_Form(comparison, list(changes), after, free).text().encode()).hexdigest()


class _Form:
    """The canonical form of one set of changes."""

    def __init__(self, comparison: Comparison, changes: list[RowChange], after: StateRows, free: Free) -> None:
        self._comparison = comparison
        self._after = after
        self._uncounted = {
            table: comparison.ignored[table].union(comparison.order[table], free.get(table, ()))
            for table in comparison.tables
        }
        counted = comparison.counted(changes)
        self._new = [change for change in counted if change.op == "insert"]
        self._updated = [change for change in counted if change.op == "update"]
        self._deleted = [change for change in counted if change.op == "delete"]
        self._new_rows = NewRows(self._new, [row for row in changes if row.op == "insert"], comparison.logs)
        self._ranks_new: dict[tuple[str, tuple[Any, ...]], list[str]] = {}
        self._ranks_old: list[str] = []
        self._rank(changes, free)

    def text(self) -> str:
        """New rows in canonical order, naming each other by place; then updates, deletions and ranks of old rows."""
        new = [self._described(row) for row in self._new]
        old = [(self._name(row), *self._described(row)) for row in self._updated]
        pointed: dict[int, list[str]] = {}
        for name, _, links in old:
            for label, target in links:
                pointed.setdefault(target, []).append(f"{name}>{label}")
        nodes = [f"{content}|{sorted(pointed.get(number, []))}" for number, (content, _) in enumerate(new)]
        edges = [Edge(number, label, target) for number, (_, links) in enumerate(new) for label, target in links]
        order = canonical_order(nodes, edges)
        place = {number: index for index, number in enumerate(order)}

        def placed(links: Links) -> str:
            return repr(sorted((label, place[target]) for label, target in links))

        lines = [f"new {nodes[number]} {placed(new[number][1])}" for number in order]
        lines += sorted(f"updated {name} {content} {placed(links)}" for name, content, links in old)
        lines += sorted(f"deleted {self._name(row)}" for row in self._deleted)
        return "\n".join([*lines, *sorted(self._ranks_old)])

    def _described(self, row: RowChange) -> tuple[str, Links]:
        """What counts of an added or updated row: its values as text, and the new rows it points to.

        What names a new row (the row's own number, references to it) is left out of the values.
        """
        hidden = {*self._uncounted[row.table]}
        if row.op == "insert":
            hidden.add(self._comparison.tables[row.table].number or "")
        links: Links = []
        linked: set[str] = set()
        told: dict[str, str] = {}
        for reference in self._comparison.tables[row.table].references:
            if not any(column in row.new and column not in hidden for column in reference.columns):
                continue
            values = self._reference_values(row, reference)
            if None in values:
                continue
            target = self._new_rows.number(reference.table, reference.to_columns, values)
            if target is not None:
                links.append((",".join(reference.columns), target))
                linked.update(reference.columns)
            elif name := self._name_by_key(reference, values):
                told.update(dict.fromkeys(reference.columns, name))
        names = sorted(set(row.new) - hidden - linked)
        shown = [f"{name}={told.get(name) or token(row.new[name])}" for name in names]
        shown += sorted(self._ranks_new.get(self._place(row), []))
        return f"{row.table}({', '.join(shown)})", links

    def _reference_values(self, row: RowChange, reference: Reference) -> tuple[Any, ...]:
        if all(column in row.new for column in reference.columns):
            return tuple(row.new[column] for column in reference.columns)
        ((*values,),) = self._after.select(row.table, reference.columns, row.key)
        return tuple(values)

    def _name_by_key(self, reference: Reference, values: tuple[Any, ...]) -> str | None:
        """How a reference by columns that are not its target's key names an old row; such columns may change."""
        if reference.table in self._comparison.logs and self._new_rows.is_log_row(reference, values):
            return f"{reference.table} added"
        key = self._comparison.tables[reference.table].primary_key
        if set(reference.to_columns) == set(key):
            return None
        found = self._after.select(reference.table, key, dict(zip(reference.to_columns, values, strict=True)))
        return f"{reference.table}{tokens(found[0])}" if len(found) == 1 else None

    def _place(self, row: RowChange) -> tuple[str, tuple[Any, ...]]:
        return row.table, self._comparison.key_of(row)

    def _name(self, row: RowChange) -> str:
        return f"{row.table}{tokens(self._comparison.key_of(row))}"

    def _rank(self, changes: list[RowChange], free: Free) -> None:
        """Ranks of new rows, and of old rows whose rank or group is another than before."""
        new = {self._place(row) for row in self._new}
        for group in touched_groups(self._comparison, changes, self._after):
            if group.column in free.get(group.table, ()):
                continue
            before = group.ranks_before()
            for key, rank in group.ranks_after().items():
                if (group.table, key) in new:
                    self._ranks_new.setdefault((group.table, key), []).append(f"{group.column}#{rank}")
                elif key not in before or before[key] != rank:
                    self._ranks_old.append(f"rank {group.table}{tokens(key)} {group.column}#{rank}")
