"""Finding the new rows that references point to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..models import RowChange
from ..schema import Reference

_By = tuple[str, tuple[str, ...]]


class NewRows:
    """The rows that a set of changes added, numbered, found by the values of the columns that references name."""

    def __init__(self, counted: Sequence[RowChange], added: Sequence[RowChange], logs: Collection[str]) -> None:
        self._counted = counted
        self._logged = [row for row in added if row.table in logs]
        self._indexes: dict[_By, dict[tuple[Any, ...], int]] = {}

    def number(self, table: str, columns: tuple[str, ...], values: tuple[Any, ...]) -> int | None:
        """The number of the new row of `table` whose `columns` hold `values`, if there is one."""
        if (table, columns) not in self._indexes:
            self._indexes[table, columns] = {
                tuple(row.new[column] for column in columns): number
                for number, row in enumerate(self._counted)
                if row.table == table
            }
        return self._indexes[table, columns].get(values)

    def is_log_row(self, reference: Reference, values: tuple[Any, ...]) -> bool:
        """Whether `reference` points to a row added to a log table, which has no number."""
        return any(
            row.table == reference.table and tuple(row.new[column] for column in reference.to_columns) == values
            for row in self._logged
        )
