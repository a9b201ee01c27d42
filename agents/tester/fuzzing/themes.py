"""What a sequence is about: an invariant, the tools that can touch what it reads, and rows that belong together.

Random calls meet at the same rows too seldom. A themed sequence starts from a row that depends on most of the
invariant's tables, takes in the rows that it points at, lets those act who may touch them, and calls mostly tools
that write what the invariant reads.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw
from sqlglot import exp

from ....environments.models import Actor
from ..anatomy import Anatomy
from ..trees import parse, place_of

_HOPS = 4


class Theme(NamedTuple):
    """The tables that an invariant reads, those with most references to the others first, and the tools that write
    something it reads."""

    tables: tuple[str, ...]
    tools: frozenset[str]


def themes_of(anatomy: Anatomy) -> tuple[Theme, ...]:
    """One theme for each invariant that some tool can touch."""
    found = []
    for invariant in anatomy.spec.invariants:
        tree = parse(invariant.sql)
        if tree is None:
            continue
        named = {table.name.lower() for table in tree.find_all(exp.Table)} & set(anatomy.tables)
        columns = {place for column in tree.find_all(exp.Column) if (place := place_of(column, anatomy.tables))}
        tools = frozenset(name for name in anatomy.tools if _touches(anatomy, name, named, columns))
        if tools:
            found.append(
                Theme(tuple(sorted(named, key=lambda table: (-_pointing(anatomy, table, named), table))), tools)
            )
    return tuple(found)


def _touches(anatomy: Anatomy, tool: str, tables: set[str], columns: set[Any]) -> bool:
    for statement in anatomy.environment.plans[tool].statements:
        for write in statement.writes:
            if write.table in tables and (write.column is None or (write.table, write.column) in columns):
                return True
    return False


def _pointing(anatomy: Anatomy, table: str, others: set[str]) -> int:
    targets = {reference.table for reference in anatomy.tables[table].references}
    return len(targets & (others - {table}))


def related_rows(anatomy: Anatomy, tables: Sequence[str], rng: random.Random, count: int) -> Mapping[str, list[Any]]:
    """Keys of `count` rows of the seed, of the first of `tables` that has any, and of all rows they point at."""
    found: dict[str, list[Any]] = {}
    start = next((table for table in tables if _keys(anatomy, table)), None)
    if start is not None:
        keys = _keys(anatomy, start)
        for key in rng.sample(keys, min(count, len(keys))):
            _follow(anatomy, start, key, found, _HOPS)
    return found


def _keys(anatomy: Anatomy, table: str) -> list[Any]:
    info = anatomy.tables[table]
    if info.view or len(info.primary_key) != 1:
        return []
    return [row[0] for row in anatomy.seed_rows(f'SELECT "{info.primary_key[0]}" FROM "{table}" ORDER BY 1')]


def _follow(anatomy: Anatomy, table: str, key: Any, found: dict[str, list[Any]], hops: int) -> None:
    """Take in a row and what it points at."""
    known = found.setdefault(table, [])
    if key in known or hops < 0:
        return
    known.append(key)
    info = anatomy.tables[table]
    for reference in info.references:
        if len(reference.columns) != 1 or anatomy.tables[reference.table].primary_key != reference.to_columns:
            continue
        sql = f'SELECT "{reference.columns[0]}" FROM "{table}" WHERE "{info.primary_key[0]}" = :key'
        rows = anatomy.seed_rows(sql, key=key)
        if rows and rows[0][0] is not None:
            _follow(anatomy, reference.table, rows[0][0], found, hops - 1)


def owners_of(anatomy: Anatomy, rows: Mapping[str, Sequence[Any]]) -> Iterator[Actor]:
    """Actors whose own one of the rows is."""
    for owner in anatomy.owners:
        role = anatomy.spec.roles[owner.role]
        key = anatomy.tables[role.table].primary_key[0]
        owned = anatomy.tables[owner.table].primary_key
        if len(owned) != 1:
            continue
        theirs = owner.where.replace(":actor_id", f'acting_row."{key}"')
        held = f" AND ({role.where})" if role.where else ""
        sql = (
            f'SELECT acting_row."{key}" FROM "{role.table}" AS acting_row WHERE EXISTS (SELECT 1 FROM "{owner.table}"'
            f' WHERE "{owner.table}"."{owned[0]}" = :key AND ({theirs}\n)){held} ORDER BY 1 LIMIT 2'
        )
        for row in rows.get(owner.table, ()):
            try:
                found = anatomy.seed_rows(sql, key=row, actor_roles=json.dumps([owner.role]))
            except apsw.Error:  # a condition whose own names clash with those of this query
                break
            yield from (Actor(roles=(owner.role,), id=each[0]) for each in found)
