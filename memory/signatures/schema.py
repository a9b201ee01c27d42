"""The schema as features: columns, tables as what they are made of, and tables with what they refer to.

Weisfeiler-Lehman hashes along the direction of references: a table is told by its own columns, checks and keys (one
step) and by those of the tables that it refers to (two steps), never by what refers to it. So where tables are left out
or added, those that they refer to stay what they are. Names take no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...environments.schema import ColumnInfo, TableInfo
from .base import digest, weighted
from .checks import Check, checks_of

_COLUMN, _TABLE, _WITH_TARGETS = 0.5, 4.0, 2.0
"""What a column, a table by itself, and a table with its targets count. Columns alone make strangers alike: nearly all
schemas have names, amounts and dates."""


class SchemaShape:
    """`features` is the schema part of a signature; `roles` tells tables apart by their place among the others,
    for the parts that speak of tables: coarse, so that a column more or less changes only the schema part."""

    def __init__(self, tables: Mapping[str, TableInfo]) -> None:
        checks = {name: checks_of(info) for name, info in tables.items()}
        self.features = weighted(_features(tables, checks))
        self.roles = {name: _role(info, checks[name]) for name, info in tables.items()}


def _role(info: TableInfo, checks: list[Check]) -> str:
    """Whether it refers to none, one or more, and whether a column has a list of values (a status, a kind)."""
    lists = sum("In*" in check.shape for check in checks)
    return f"{min(len(info.references), 2)} {lists > 0}"


def _features(tables: Mapping[str, TableInfo], checks: Mapping[str, list[Check]]) -> Iterator[tuple[str, float]]:
    columns = {
        name: [_column(info, column, checks[name]) for column in info.columns] for name, info in tables.items()
    }
    alone = {name: _table(info, columns[name], checks[name]) for name, info in tables.items()}
    for name, info in tables.items():
        yield from ((f"column {column}", _COLUMN) for column in columns[name])
        yield f"table {alone[name]}", _TABLE
        targets = sorted(alone.get(reference.table, "") for reference in info.references)
        yield f"table {digest([alone[name], targets])}", _WITH_TARGETS


def _column(info: TableInfo, column: ColumnInfo, checks: list[Check]) -> str:
    """A column with what is said of it alone."""
    marks = (column.type, column.notnull, column.key > 0, column.default is not None, column.generated)
    own = sorted(check.shape for check in checks if check.columns == (column.name.lower(),))
    unique = (column.name,) in info.unique and info.primary_key != (column.name,)
    refers = sorted(reference.on_delete for reference in info.references if reference.columns == (column.name,))
    return digest([marks, own, unique, refers])


def _table(info: TableInfo, columns: list[str], checks: list[Check]) -> str:
    """A table with its columns, and with what binds several of them together."""
    wide = sorted([check.shape, len(check.columns)] for check in checks if len(check.columns) != 1)
    unique = sorted(len(names) for names in info.unique if len(names) > 1 and names != info.primary_key)
    wide_references = sorted(len(reference.columns) for reference in info.references if len(reference.columns) > 1)
    return digest([info.view, sorted(Counter(columns).items()), wide, unique, wide_references])
