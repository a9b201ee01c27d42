"""The rows and values that a sequence of calls keeps coming back to.

Invariants across tools break when several calls meet at the same rows. So each sequence has a cast of a few actors
and a focus: some rows of theirs and of their neighbourhood, then whatever the calls make. Ids are mostly drawn from
there, and values that were used are used again.
"""

from __future__ import annotations

import json
import random
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from ....environments.models import Actor, RowChange
from ..anatomy import Anatomy
from ..ownership import Owner
from ..stage import Stage

_ROWS = 3
_REMEMBERED = 6


class Scene:
    """One sequence's focus over a stage."""

    def __init__(
        self,
        anatomy: Anatomy,
        stage: Stage,
        cast: Sequence[Actor],
        rng: random.Random,
        rows: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        """`rows`: keys by table to start from, where a sequence has a theme."""
        self.cast = cast
        self._anatomy = anatomy
        self._stage = stage
        self._rng = rng
        self._keys: dict[tuple[str, str], list[Any]] = {}
        self._owned: dict[tuple[str, str, int, tuple[str, ...]], list[Any]] = {}
        self._values: dict[str, deque[Any]] = {}
        self._focus: dict[str, deque[Any]] = {}
        self._told: deque[int] = deque(maxlen=_REMEMBERED)
        for table in anatomy.stored_tables:
            if len(table.primary_key) == 1:
                given = (rows or {}).get(table.name)
                self._focus[table.name] = deque(given or self._first_rows(table.name), maxlen=2 * _ROWS)

    def _first_rows(self, table: str) -> list[Any]:
        """Rows of a table to start with: the cast's own where rows have owners, any where not."""
        key = self._anatomy.tables[table].primary_key[0]
        own = [row for actor in self.cast for row in self.reachable(table, key, actor)]
        rows = own or self.keys(table, key)
        return self._rng.sample(rows, min(_ROWS, len(rows)))

    def keys(self, table: str, column: str) -> list[Any]:
        """The values of a key column as they are now."""
        if (table, column) not in self._keys:
            rows = self._stage.query(f'SELECT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL')
            self._keys[table, column] = [row[0] for row in rows]
        return self._keys[table, column]

    def focus(self, table: str) -> Sequence[Any]:
        return self._focus.get(table, ())

    def owned(self, table: str, column: str, actor: Actor) -> list[Any]:
        """Keys of the rows that are the actor's own; empty where rows have no owners."""
        owner = self._owner(table, actor)
        return self.satisfying(table, column, owner.where, actor) if owner is not None else []

    def _owner(self, table: str, actor: Actor) -> Owner | None:
        return next((own for own in self._anatomy.owners if own.table == table and own.role in actor.roles), None)

    def reachable(self, table: str, column: str, actor: Actor) -> list[Any]:
        """Keys of the actor's own rows; where rows have no owners, of those that point at a row that has one."""
        own = self.owned(table, column, actor)
        if own or self._owner(table, actor) is not None:
            return own
        for reference in self._anatomy.tables[table].references:
            owner = self._owner(reference.table, actor)
            if owner is not None and len(reference.columns) == 1 and reference.table != table:
                target = f'SELECT "{reference.to_columns[0]}" FROM "{reference.table}" WHERE ({owner.where})'
                return self.satisfying(table, column, f'"{table}"."{reference.columns[0]}" IN ({target})', actor)
        return []

    def together(self, table: str, column: str, belongs: Mapping[str, Any]) -> list[Any]:
        """Keys of the rows that point at the same rows as `belongs` (keys by table) has; empty if they point at none
        of its tables."""
        shared = [
            (reference.columns[0], belongs[reference.table])
            for reference in self._anatomy.tables[table].references
            if len(reference.columns) == 1 and reference.table in belongs and reference.table != table
        ]
        if not shared:
            return []
        where = " AND ".join(f'"{name}" = :value_{index}' for index, (name, _) in enumerate(shared))
        bound = {f"value_{index}": value for index, (_, value) in enumerate(shared)}
        rows = self._stage.query(
            f'SELECT "{column}" FROM "{table}" WHERE {where} AND "{column}" IS NOT NULL', **bound
        )
        return [row[0] for row in rows]

    def row(self, table: str, key: Any) -> Mapping[str, Any]:
        """A row as it is now; empty if it is gone."""
        info = self._anatomy.tables[table]
        columns = [column.name for column in info.columns]
        listed = ", ".join(f'"{column}"' for column in columns)
        rows = self._stage.query(f'SELECT {listed} FROM "{table}" WHERE "{info.primary_key[0]}" = :key', key=key)
        return dict(zip(columns, rows[0], strict=True)) if rows else {}

    def satisfying(self, table: str, column: str, where: str, actor: Actor) -> list[Any]:
        """Keys of the rows for which a condition over the table's columns and `:actor_id` holds."""
        known = (table, where, actor.id, actor.roles)
        if known not in self._owned:
            try:
                sql = f'SELECT "{table}"."{column}" FROM "{table}" WHERE ({where}\n)'
                rows = self._stage.query(sql, actor_id=actor.id, actor_roles=json.dumps(actor.roles))
            except apsw.Error:
                rows = []
            self._owned[known] = [row[0] for row in rows]
        return self._owned[known]

    def used(self, args: Mapping[str, Any]) -> None:
        """Remember the values of a call that succeeded."""
        for name, value in args.items():
            self._values.setdefault(name, deque(maxlen=_REMEMBERED)).append(value)

    def told(self, text: str) -> None:
        """Remember the whole numbers that a refusal names: what is left, what is owed, what there is."""
        self._told.extend(int(number) for number in re.findall(r"(?<![\w.-])\d{1,12}(?![\w.-])", text))

    @property
    def told_numbers(self) -> Sequence[int]:
        return self._told

    def remembered(self, name: str) -> Sequence[Any]:
        return self._values.get(name, ())

    def note(self, changes: Iterable[RowChange]) -> None:
        """Take what a call changed into the focus, and forget what is no longer true."""
        for change in changes:
            self._keys = {known: keys for known, keys in self._keys.items() if known[0] != change.table}
            self._owned = {known: keys for known, keys in self._owned.items() if known[0] != change.table}
            focus = self._focus.get(change.table)
            value = next(iter(change.key.values()), None)
            if focus is not None and len(change.key) == 1 and value not in focus:
                focus.append(value)
