"""Other values and other rows, near those that gold touched."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

from ...environments.schema import ColumnInfo, TableInfo
from ...environments.states.rows import quoted
from .edits import EndStateEditor
from .hints import Hints
from .sql_literals import plain_constants

_LOOKED_AT = 40
_COMPARED = 500
_DATETIME = "%Y-%m-%d %H:%M:%S"
_DAY = len("2026-03-02")
_NONE = object()


class Siblings:
    """Picks siblings from an end state; the same ones for the same random seed. `hints` come first where they fit."""

    def __init__(
        self, editor: EndStateEditor, tables: Mapping[str, TableInfo], random: Random, hints: Hints | None = None
    ) -> None:
        self._editor = editor
        self._tables = tables
        self._random = random
        self._hints = hints or {}
        self._known: dict[tuple[str, str], list[Any]] = {}
        self._largest: dict[tuple[str, str], Any] = {}

    def values(self, table: str, column: str, unlike: Sequence[Any], count: int) -> list[Any]:
        """Up to `count` other values of a column: of other rows, of its CHECK, near its own, in turn. Of rows that it
        may refer to the ones that are most alike."""
        info = self._tables[table]
        info_of = info.by_name[column]
        found = [value for value in self._stored(info, info_of) if value not in unlike]
        self._random.shuffle(found)
        made = [value for value in self._made_up(info_of, unlike) if value not in unlike and value not in found]
        hinted = [value for value in self._hints.get(column, ()) if value not in unlike]
        if info_of.references is not None:
            hinted = [value for value in hinted if value in found]
            alike = self._alike(info_of.references, unlike, found) if count > 1 else []
            return list(dict.fromkeys((*hinted, *in_turn(alike, found))))[:count]
        if any(columns == (column,) for columns in info.unique):
            return made[:count]
        return list(dict.fromkeys((*hinted, *in_turn(found, made))))[:count]

    def _alike(self, reference: str, unlike: Sequence[Any], found: Sequence[Any]) -> list[Any]:
        """The values of `found` by how many columns their rows have in common with those of `unlike`, most first."""
        table, _, key = reference.partition(".")
        rows = [row for value in unlike if value is not None for row in self.where(table, {key: value})][:1]
        if not rows:
            return []
        columns = ", ".join(map(quoted, self._tables[table].stored))
        others = self._editor.query(f"SELECT {columns} FROM {quoted(table)} LIMIT {_COMPARED}")
        named = (dict(zip(self._tables[table].stored, other, strict=True)) for other in others)
        place = {value: number for number, value in enumerate(found)}
        ranked = [(-likeness(rows[0], other), place[other[key]]) for other in named if other[key] in place]
        return [found[number] for _, number in sorted(ranked)]

    def rows(self, table: str, unlike: Sequence[Mapping[str, Any]], count: int) -> list[dict[str, Any]]:
        """Up to `count` rows of a table whose keys are none of `unlike`."""
        info = self._tables[table]
        columns = ", ".join(map(quoted, info.stored))
        order = ", ".join(map(quoted, info.primary_key))
        total = self._editor.query(f"SELECT count(*) FROM {quoted(table)}")[0][0]
        start = self._random.randrange(max(1, total - _LOOKED_AT + 1))
        found = [
            dict(zip(info.stored, row, strict=True))
            for row in self._editor.query(
                f"SELECT {columns} FROM {quoted(table)} ORDER BY {order} LIMIT {_LOOKED_AT} OFFSET {start}"
            )
        ]
        others = [row for row in found if {name: row[name] for name in info.primary_key} not in unlike]
        self._random.shuffle(others)
        return others[:count]

    def where(self, table: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows with these values."""
        info = self._tables[table]
        columns = ", ".join(map(quoted, info.stored))
        matching = " AND ".join(f"{quoted(column)} IS ?" for column in values) or "0"
        found = self._editor.query(
            f"SELECT {columns} FROM {quoted(table)} WHERE {matching} LIMIT {_LOOKED_AT}", tuple(values.values())
        )
        return [dict(zip(info.stored, row, strict=True)) for row in found]

    def fresh(self, table: str, column: str) -> Any:
        """A value that the column does not hold yet (for unique columns)."""
        if (table, column) not in self._largest:
            ((largest,),) = self._editor.query(f"SELECT max({quoted(column)}) FROM {quoted(table)}")
            self._largest[table, column] = largest
        return self._made_up(self._tables[table].by_name[column], [self._largest[table, column]])[0]

    def _stored(self, info: TableInfo, column: ColumnInfo) -> list[Any]:
        if (info.name, column.name) not in self._known:
            self._known[info.name, column.name] = self._read(info, column)
        return self._known[info.name, column.name]

    def _read(self, info: TableInfo, column: ColumnInfo) -> list[Any]:
        sources = [(info.name, column.name)]
        if column.references is not None:
            parent, _, key = column.references.partition(".")
            sources.insert(0, (parent, key))
        found: list[Any] = []
        for table, name in sources:
            sql = f"SELECT DISTINCT {quoted(name)} FROM {quoted(table)} ORDER BY 1 LIMIT 200"
            found += [value for (value,) in self._editor.query(sql) if value not in found]
        if column.references is None and len(found) < 3 and column.type == "TEXT":
            found += [value for value in sorted(_checked(info)) if value not in found]
        return [value for value in found if value is not None or not column.notnull]

    def _made_up(self, column: ColumnInfo, unlike: Sequence[Any]) -> tuple[Any, ...]:
        known = next((value for value in unlike if value is not None), None)
        if known is not None:
            return near_values(known)
        return ("other",) if column.type in ("TEXT", "ANY") else (1, 2)


def _checked(info: TableInfo) -> list[str]:
    """Texts that the table's definition names: values of CHECKs and defaults."""
    return [value for value in plain_constants(info.sql) if isinstance(value, str) and value]


def near_values(value: Any) -> tuple[Any, ...]:
    """Values of the same type and form near `value` that it is not; none for what has no neighbours."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int | float):
        return (value + 1, value - 1, value + 7)
    if isinstance(value, bytes):
        return (value + b"\0",)
    if not isinstance(value, str):
        return ()
    moved = later(value, 1)
    if moved == value:
        return (f"{value} too", f"not {value}", f"{value}X")
    return (moved, _an_hour_later(value), later(value, 2)) if len(value) > _DAY else (moved, later(value, 2))


def _an_hour_later(value: str) -> str:
    return (dt.datetime.strptime(value, _DATETIME) + dt.timedelta(hours=1)).strftime(_DATETIME)


def likeness(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """How many columns two rows have in common."""
    return sum(other.get(name) == value for name, value in one.items())


def in_turn(*lists: Sequence[Any]) -> list[Any]:
    """One of each list after the other."""
    return [value for row in zip_longest(*lists, fillvalue=_NONE) for value in row if value is not _NONE]


def later(value: Any, days: int) -> Any:
    """A date or datetime so many days later; other values as they are."""
    # Most texts are none, and parsing tells it slowly.
    for form in (_DATETIME, "%Y-%m-%d") if isinstance(value, str) and value[:4].isdigit() else ():
        try:
            return (dt.datetime.strptime(value, form) + dt.timedelta(days=days)).strftime(form)
        except ValueError:
            continue
    return value
