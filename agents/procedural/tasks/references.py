"""Referring phrases: a row, a way to point at it → words, grounding, and the steps that look it up.

A way is usable for a row when its values exist and its grounding resolves to exactly that row (or, for the first by
an order, strictly to it; for a set, to exactly those rows).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....environments.canonical import seed_from
from ....environments.models import Grounding
from .formats import fill, undoubled
from .grammar import nests
from .offers import Offers
from .plans import Rows
from .sqltext import STANDING, in_schema, inline
from .workflows import Refer, Step, Workflow
from .worlds import Unfit, World

DEEPEST = 2
"""How far phrases nest within phrases."""


class Reference(NamedTuple):
    """A row made speakable. `steps` are as written, `values` what they name; `pick` is the last step's name.

    `computed`: which row is meant must be worked out over rows. `way_indirect` (0-2) is how indirect the phrase is by
    itself, `indirect` the most indirect of it and the phrases within it, `distance` what they add up to.
    """

    table: str
    rows: Rows
    phrase: str
    groundings: dict[str, Grounding]
    steps: tuple[Step, ...]
    values: dict[str, Any]
    nested: dict[str, Reference]
    pick: str
    many: bool
    computed: bool
    way_indirect: int
    indirect: int
    distance: int

    def all_rows(self) -> Iterator[int]:
        """The rows that it and the phrases within it mean."""
        yield from self.rows if isinstance(self.rows, tuple) else (self.rows,)
        for inner in self.nested.values():
            yield from inner.all_rows()


class Referrer:
    """Makes references to the rows of one world for one actor.

    `avoid` are names that phrases must not tell: a price that is to be changed does not say which room is meant.
    """

    def __init__(self, offers: Offers, world: World, role: str, avoid: Collection[str] = ()) -> None:
        self.offers = offers
        self.world = world
        self.role = role
        self._avoid = frozenset(avoid)

    def ways(self, workflow: Workflow, slot: str, table: str) -> tuple[Refer, ...]:
        """The ways to point at `slot`: the table's, then the workflow's own."""
        return (*self.offers.refers(table), *workflow.ways.get(slot, ()))

    def reference(
        self,
        ways: Sequence[Refer],
        table: str,
        rows: Rows,
        refer: Mapping[str, int],
        slot: str,
        env: Mapping[str, Any],
    ) -> Reference | None:
        """The reference to `rows` by the way that `refer` names for `slot`; None if that way is not usable."""
        index = refer.get(slot, 0)
        if index >= len(ways):
            return None
        way = ways[index]
        if way.actors is not None and self.role not in way.actors:
            return None
        anchor = rows[0] if isinstance(rows, tuple) else rows
        bound = {**env, "id": anchor}
        nested: dict[str, Reference] = {}
        for name, use in way.uses.items():
            inner = self._nested(use.table, use.sql, refer, f"{slot}.{name}", bound)
            if inner is None:
                return None
            nested[name] = inner
            bound[name] = inner.rows
        if not nests(way.phrase, {name: inner.phrase for name, inner in nested.items()}):
            return None
        values = self._values(way, bound)
        if values is None or not self._resolves(way, rows, {**bound, **values}):
            return None
        try:
            return self._built(way, table, rows, bound, values, nested)
        except KeyError as error:
            raise Unfit(f"{way.phrase!r} names {error}, which nothing gives") from error

    def options(
        self,
        ways: Sequence[Refer],
        table: str,
        rows: Rows,
        slot: str,
        env: Mapping[str, Any],
        within: tuple[str, ...] = (),
    ) -> Iterator[tuple[dict[str, int], Reference]]:
        """Every usable way to point at `rows`, with phrases within it by one way of each directness.

        `within`: tables of the rows in whose phrases this one stands; no phrase comes back to one of them.
        """
        for index, way in enumerate(ways):
            for inner in self._inner_options(way, rows, slot, env, (*within, table)):
                refer = {slot: index, **inner}
                reference = self.reference(ways, table, rows, refer, slot, env)
                if reference is not None:
                    yield refer, reference

    def _inner_options(
        self, way: Refer, rows: Rows, slot: str, env: Mapping[str, Any], within: tuple[str, ...]
    ) -> Iterator[dict[str, int]]:
        if not way.uses:
            yield {}
            return
        if len(within) > DEEPEST:
            return
        anchor = rows[0] if isinstance(rows, tuple) else rows
        combined: list[dict[str, int]] = [{}]
        for name, use in way.uses.items():
            inner_id = self.world.value(use.sql, {**env, "id": anchor})
            if inner_id is None:
                return
            ways = self.offers.refers(use.table)
            found: dict[int, list[dict[str, int]]] = {}
            for refer, reference in self.options(ways, use.table, inner_id, f"{slot}.{name}", env, within):
                if not reference.many and not speaks_of(ways[refer[f"{slot}.{name}"]], within):
                    found.setdefault(reference.indirect, []).append(refer)
            turn = seed_from("inner", within[-1], anchor, name)
            others = [alike[turn % len(alike)] for alike in found.values()]
            combined = [{**one, **other} for one in combined for other in others]
        yield from combined

    def _nested(
        self, table: str, sql: str, refer: Mapping[str, int], slot: str, bound: Mapping[str, Any]
    ) -> Reference | None:
        row = self.world.value(sql, bound)
        if row is None:
            return None
        return self.reference(self.offers.refers(table), table, row, refer, slot, bound)

    def _values(self, way: Refer, bound: Mapping[str, Any]) -> dict[str, Any] | None:
        if way.values is None:
            return {}
        values = self.world.record(way.values, bound)
        if values is None or None in values.values() or not self._avoid.isdisjoint(values):
            return None
        return values

    def _resolves(self, way: Refer, rows: Rows, bound: Mapping[str, Any]) -> bool:
        found = self.world.rows(way.sql, bound)
        if way.expect == "many":
            return isinstance(rows, tuple) and sorted(row[0] for row in found) == sorted(rows)
        if isinstance(rows, tuple) or not found or found[0][0] != rows:
            return False
        if way.expect == "one":
            return len(found) == 1
        return len(found) >= 2 and found[0][1:] != found[1][1:]

    def _built(
        self,
        way: Refer,
        table: str,
        rows: Rows,
        bound: Mapping[str, Any],
        values: dict[str, Any],
        nested: dict[str, Reference],
    ) -> Reference:
        known = {**bound, **values}
        spoken = {**known, **{name: inner.phrase for name, inner in nested.items()}}
        phrase = undoubled(fill(way.phrase, spoken, self.world.today))
        expect: Any = "set" if way.expect == "many" else way.expect
        grounding = Grounding(
            expect=expect,
            sql=inline(in_schema(way.sql, "before"), known, keep=STANDING),
            table=table,
            order=way.order,
        )
        groundings = {phrase: grounding}
        for inner in nested.values():
            groundings.update(inner.groundings)
        return Reference(
            table=table,
            rows=rows,
            phrase=phrase,
            groundings=groundings,
            steps=way.find,
            values={**known},
            nested=nested,
            pick=way.find[-1]["pick"],
            many=way.expect == "many",
            computed=way.expect == "first" or any(inner.computed for inner in nested.values()),
            way_indirect=way.indirect,
            indirect=max([way.indirect, *(inner.indirect for inner in nested.values())]),
            distance=way.indirect + sum(inner.distance for inner in nested.values()),
        )


def speaks_of(way: Refer, tables: Collection[str]) -> bool:
    """Whether a way finds its row by way of one of `tables`: nobody says "the booking of whoever has that booking"."""
    named = {use.table for use in way.uses.values()} | set(re.findall(r"\w+", way.sql))
    return not named.isdisjoint(set(tables))
