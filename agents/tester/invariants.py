"""The invariants of an environment, and which of them a state breaks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

import apsw
from sqlglot import exp

from ...environments.models import EnvironmentSpec
from .stage import Stage
from .trees import Tables, parse

_SHOWN = 3


class Broken(NamedTuple):
    """An invariant that a state breaks: its number from 0, its name, also as part of a place, and rows."""

    number: int
    name: str
    slug: str
    rows: tuple[tuple[apsw.SQLiteValue, ...], ...]


class Invariants:
    """All invariants of an environment. Those that read no changed table are not run again."""

    def __init__(self, spec: EnvironmentSpec, tables: Tables) -> None:
        self._all = tuple(
            (index, invariant.name, slug(invariant.name), invariant.sql, _reads(invariant.sql, tables))
            for index, invariant in enumerate(spec.invariants)
        )

    def broken(self, stage: Stage, changed: Collection[str] | None = None) -> Iterator[Broken]:
        """Those that the state breaks, of those that read a `changed` table (None: of all)."""
        for index, name, short, sql, reads in self._all:
            if changed is not None and reads is not None and reads.isdisjoint(changed):
                continue
            rows = stage.query(sql)
            if rows:
                yield Broken(index, name, short, tuple(rows[:_SHOWN]))


def slug(name: str) -> str:
    """A name as part of a place: lower case, words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _reads(sql: str, tables: Tables) -> frozenset[str] | None:
    """The tables that a query reads; None if that cannot be told from its text (views)."""
    tree = parse(sql)
    if tree is None:
        return None
    named = {table.name.lower() for table in tree.find_all(exp.Table)}
    return None if any(table.view for name, table in tables.items() if name in named) else frozenset(named)
