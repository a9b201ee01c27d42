"""Picks that are remembered: what was picked from the very same results is picked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .references import PickedRow


class Picked(NamedTuple):
    columns: tuple[str, ...]
    rows: list[PickedRow]


class Table(NamedTuple):
    """What becomes a table, and the results that its rows were taken from."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    origin: tuple[Any, ...]

    @property
    def known_as(self) -> tuple[Any, ...]:
        """The same for tables made of the very same results."""
        return self.columns, *map(id, self.origin)


class Picks:
    """What picks came to, for programs whose calls are answered from memory. It keeps the results that it knows, so that
    no other takes the place of one."""

    def __init__(self) -> None:
        self._fitting: dict[tuple[Any, ...], Table] = {}
        self._picked: dict[tuple[Any, ...], tuple[list[Table], Picked]] = {}

    def fits(self, table: Table) -> bool:
        """Whether it was a table before."""
        return table.known_as in self._fitting

    def keep_table(self, table: Table) -> None:
        self._fitting[table.known_as] = table

    def picked(self, key: tuple[Any, ...]) -> Picked | None:
        found = self._picked.get(key)
        return found[1] if found else None

    def keep(self, key: tuple[Any, ...], tables: list[Table], picked: Picked) -> None:
        self._picked[key] = (tables, picked)
