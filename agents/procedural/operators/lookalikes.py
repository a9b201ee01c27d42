"""Rows that look like another: copies with a new key, changed where they must differ and in one thing people read.

A copy brings copies of the rows that belong to it, so that totals and counts stay right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from ....environments.schema import TableInfo
from ..tasks.sqltext import literal
from ..tasks.worlds import World

DAYS = (1, -1, 2, 7, -7)
MOST_CHILDREN = 12
"""A row with more rows of its own in one table is not copied."""


class Copier:
    """Writes INSERT statements for copies of rows of one world."""

    def __init__(self, world: World, tables: Mapping[str, TableInfo], rng: Random) -> None:
        self._world = world
        self._tables = tables
        self._rng = rng
        self._next: dict[str, int] = {}

    def variants(self, table: str, row: int) -> Iterator[dict[str, Any]]:
        """Copies of a row (without key) that differ in one column which people read, likeliest first."""
        info = self._tables[table]
        record = self._world.record(f'SELECT * FROM "{table}" WHERE id = :id', {"id": row})
        if record is None or info.primary_key != ("id",):
            return
        fixed = self._unique(info, record)
        for column in self._readable(info, record):
            for value in self._near(table, column, record[column]):
                yield {**record, **fixed, column: value}

    def statements(self, table: str, original: int, copy: Mapping[str, Any], *, children: bool) -> list[str]:
        """The copy with a new key, and copies of the rows that refer to the original."""
        key = self._fresh(table)
        found = [_insert(table, {**copy, "id": key})]
        for child, info in self._tables.items() if children else ():
            for reference in info.references:
                if reference.table == table and len(reference.columns) == 1 and child != table and not info.view:
                    found += self._children(child, info, reference.columns[0], original, key)
        return found

    def _children(self, child: str, info: TableInfo, column: str, original: int, key: int) -> list[str]:
        if info.primary_key != ("id",):
            return []
        rows = self._world.records(f'SELECT * FROM "{child}" WHERE "{column}" = :id', {"id": original})
        if len(rows) > MOST_CHILDREN:
            return []
        return [
            _insert(child, {**row, **self._unique(info, row, but=column), column: key, "id": self._fresh(child)})
            for row in rows
        ]

    def _fresh(self, table: str) -> int:
        """A key that no row of the table has, at an uneven distance from the last."""
        if table not in self._next:
            self._next[table] = self._world.value(f'SELECT coalesce(max(id), 100) FROM "{table}"')
        self._next[table] += self._rng.randint(2, 9)
        return self._next[table]

    def _unique(self, info: TableInfo, record: Mapping[str, Any], but: str = "") -> dict[str, Any]:
        """New values for text columns that are unique by themselves."""
        alone = [columns[0] for columns in info.unique if len(columns) == 1 and columns != info.primary_key]
        texts = {name: record[name] for name in alone if name != but and isinstance(record[name], str)}
        return {name: self._other_text(value) for name, value in texts.items()}

    def _other_text(self, value: str) -> str:
        """An email with a number before the @; a code or number with other digits; else a numbered text."""
        if "@" in value:
            name, _, host = value.partition("@")
            return f"{name}{self._rng.randint(2, 98)}@{host}"
        if any(char.isdigit() for char in value):
            return "".join(str(self._rng.randint(0, 9)) if char.isdigit() else char for char in value)
        return f"{value} {self._rng.choice(('II', 'North', 'South', 'East', 'West', 'Annex'))}"

    def _readable(self, info: TableInfo, record: Mapping[str, Any]) -> list[str]:
        """Names first, then moments, then other rows referred to, then numbers."""
        referring = {reference.columns[0] for reference in info.references if len(reference.columns) == 1}
        groups: tuple[list[str], ...] = ([], [], [], [])
        for column in info.columns:
            value = record[column.name]
            if column.name == "id" or value is None or column.generated:
                continue
            if column.name in referring:
                groups[2].append(column.name)
            elif isinstance(value, str):
                groups[1 if _moment(value) else 0].append(column.name)
            elif isinstance(value, int):
                groups[3].append(column.name)
        for group in groups:
            self._rng.shuffle(group)
        return [name for group in groups for name in group]

    def _near(self, table: str, column: str, value: Any) -> list[Any]:
        """Other values that are easily taken for this one: a name that shares a word, a day nearby, a sibling's."""
        if isinstance(value, str) and (moment := _moment(value)):
            return [_moved(value, moment, days) for days in self._rng.sample(DAYS, 2)]
        found = self._world.rows(
            f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL AND "{column}" <> :value',
            {"value": value},
        )
        others = [row[0] for row in found]
        if isinstance(value, str) and " " in value:
            return self._mixed(value, [other for other in others if isinstance(other, str) and " " in other])
        return self._rng.sample(others, min(2, len(others)))

    def _mixed(self, value: str, others: list[str]) -> list[str]:
        """A longer name that begins with this one; the first word with the rest of another's, or the other way."""
        first, _, rest = value.partition(" ")
        lasts = sorted({other.rpartition(" ")[2] for other in others} - {value.rpartition(" ")[2]})
        personal = len(value.split()) == 2 and value.istitle() and len(lasts) > len(others) // 2
        longer = [f"{value}-{last}" for last in lasts if personal]
        mixed = [f"{first} {other.partition(' ')[2]}" for other in others]
        mixed += [f"{other.partition(' ')[0]} {rest}" for other in others]
        fresh = [name for name in dict.fromkeys(mixed) if name != value and name not in others]
        return [*self._rng.sample(longer, min(2, len(longer))), *self._rng.sample(fresh, min(3, len(fresh)))]


def _insert(table: str, record: Mapping[str, Any]) -> str:
    columns = ", ".join(record)
    return f"INSERT INTO {table} ({columns}) VALUES ({', '.join(literal(value) for value in record.values())})"


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if len(value) >= 10 and value[4:5] == "-" else None
    except ValueError:
        return None


def _moved(value: str, moment: datetime, days: int) -> str:
    moved = moment + timedelta(days=days)
    return str(moved.date()) if len(value) == 10 else f"{moved:%Y-%m-%d %H:%M:%S}"
