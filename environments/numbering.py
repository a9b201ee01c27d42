"""Numbers that are given again. SQLite numbers a new row with one more than the largest number there is: after the
last row of a table was deleted, the next one gets its number. It is another row all the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import apsw

from .schema import TableInfo

Numbered = tuple[str, int]
"""A table, and the number of a row."""


class Numbers:
    """Which rows of a world have a number that another row had before. Told every write; a call counts as a whole."""

    __slots__ = ("_again", "_gone", "_noted", "_tables")

    def __init__(
        self, tables: Collection[str], gone: Iterable[Numbered] = (), again: Iterable[Numbered] = ()
    ) -> None:
        self._tables = tables
        self._gone = set(gone)
        self._again = set(again)
        self._noted: list[tuple[int, Numbered]] = []

    @property
    def watched(self) -> bool:
        """Whether any write can matter."""
        return bool(self._tables)

    @property
    def any_again(self) -> bool:
        """Whether a number was given again at all."""
        return bool(self._again)

    def note(self, operation: int, _schema: str, table: str, rowid: int) -> None:
        """SQLite's update hook."""
        if operation != apsw.SQLITE_UPDATE and table in self._tables:
            self._noted.append((operation, (table, rowid)))

    def keep(self) -> None:
        """The call succeeded."""
        for operation, row in self._noted:
            if operation == apsw.SQLITE_DELETE:
                self._gone.add(row)
                self._again.discard(row)
            elif row in self._gone:
                self._again.add(row)
        self._noted.clear()

    def forget(self) -> None:
        """The call was undone."""
        self._noted.clear()

    def again(self, table: str, *key: object) -> bool:
        """Whether the key of a row is a number that was given again."""
        return (table, *key) in self._again

    def fork(self) -> Numbers:
        return Numbers(self._tables, self._gone, self._again)


def numbered_tables(tables: Mapping[str, TableInfo]) -> frozenset[str]:
    """The tables whose rows SQLite numbers."""
    return frozenset(
        name for name, table in tables.items() if table.number and table.by_name[table.number].type == "INTEGER"
    )
