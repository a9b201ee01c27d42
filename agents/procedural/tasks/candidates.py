"""Drawing the rows and values of one part: candidate rows, choices, ways to refer, in the order their SQL needs."""

from __future__ import annotations

import string
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

from .plans import Part, Rows, changed, choice_values
from .references import Reference, Referrer
from .sqltext import bound_names
from .workflows import Choice, Refer, Workflow
from .worlds import Unfit, World

ROWS_TRIED = 8
"""Candidate rows looked at for a slot before its part is given up."""
CANDIDATES = 300
VALUES_TRIED = 20
MARKS = {"#": string.digits, "@": "ABCDEFGHJKLMNPQRSTUVWXYZ"}


class NoCandidate(Unfit):
    """No row or value fits the part."""


class PartDrawer:
    """Draws parts of one workflow for one actor in one world. `level` (0–2) is how indirect phrases should be."""

    def __init__(self, referrer: Referrer, rng: Random, *, level: int, constrained: float = 0.25) -> None:
        self._referrer = referrer
        self._world: World = referrer.world
        self._rng = rng
        self._level = level
        self._constrained = constrained

    def draw(self, workflow: Workflow, given: Mapping[str, Any] | None = None) -> Part:
        """A part with rows, ways and choices. `given` are slots that an earlier part settles. Raises NoCandidate."""
        names = [name for name in (*workflow.slots, *workflow.choose) if name not in (given or {})]
        return self.redraw(workflow, Part(workflow=workflow.key), names, given)

    def redraw(
        self, workflow: Workflow, part: Part, names: Collection[str], given: Mapping[str, Any] | None = None
    ) -> Part:
        """The part with some of its slots and choices drawn anew. Raises NoCandidate."""
        env: dict[str, Any] = {**self._world.names, **part.rows, **choice_values(part.choices), **(given or {})}
        rows = {slot: row for slot, row in part.rows.items() if slot not in names}
        refer = {slot: way for slot, way in part.refer.items() if slot.split(".")[0] not in names}
        choices = {name: value for name, value in part.choices.items() if name.split(".")[0] not in names}
        for name in self._order(workflow, names):
            if name in workflow.slots:
                rows[name], ways = self._target(workflow, name, env)
                refer.update(ways)
                env[name] = rows[name]
            elif workflow.choose[name].optional and self._rng.random() > self._constrained:
                env[name] = None
            else:
                drawn = self.choice(name, workflow.choose[name], env)
                choices.update(drawn)
                env.update(choice_values(drawn))
        if workflow.needs is not None and not self._world.value(workflow.needs, env):
            raise NoCandidate(workflow.needs)
        return changed(part, workflow=workflow.key, rows=rows, refer=refer, choices=choices)

    def _order(self, workflow: Workflow, names: Collection[str]) -> list[str]:
        """Slots and choices so that each comes after those that its SQL names."""
        needs = {name: self._needs(workflow, name) for name in (*workflow.slots, *workflow.choose) if name in names}
        left = list(needs)
        order: list[str] = []
        while left:
            ready = next((name for name in left if not needs[name] & {*left} - {name}), left[0])
            order.append(ready)
            left.remove(ready)
        return order

    def _needs(self, workflow: Workflow, name: str) -> set[str]:
        if name in workflow.choose:
            return bound_names(workflow.choose[name].sql or "")
        target = workflow.targets.get(name)
        queries = [(target and target.query(self._referrer.role)) or ""]
        queries += [text for way in workflow.ways.get(name, ()) for text in (way.sql, way.values or "")]
        return {bound for query in queries for bound in bound_names(query)}

    def _target(self, workflow: Workflow, slot: str, env: Mapping[str, Any]) -> tuple[Rows, dict[str, int]]:
        table = workflow.table(slot)
        ways = self._referrer.ways(workflow, slot, table)
        candidates = self._candidates(workflow, slot, env)
        self._rng.shuffle(candidates)
        firsts = self._firsts(ways, candidates, env) if self._level == 2 else []
        best: tuple[int, Rows, dict[str, int]] | None = None
        for row in [*firsts, *candidates[:ROWS_TRIED]]:
            for refer, reference in self._shuffled(self._referrer.options(ways, table, row, slot, env)):
                distance = abs(reference.indirect - self._level)
                if best is None or distance < best[0]:
                    best = (distance, row, refer)
            if best is not None and best[0] == 0:
                break
        if best is None:
            raise NoCandidate(slot)
        return best[1], best[2]

    def _candidates(self, workflow: Workflow, slot: str, env: Mapping[str, Any]) -> list[int]:
        """The rows that may fill a slot; where only ways lead to it, the first row of each."""
        target = workflow.targets.get(slot)
        if target is None:
            found = [self._world.rows(way.sql, env)[:1] for way in workflow.ways[slot] if way.values is None]
            return list(dict.fromkeys(rows[0][0] for rows in found if rows))
        query = target.query(self._referrer.role)
        if query is None:
            raise NoCandidate(slot)
        return list(dict.fromkeys(row[0] for row in self._world.rows(query, env)))[:CANDIDATES]

    def _shuffled(self, options: Any) -> list[tuple[dict[str, int], Reference]]:
        found = list(options)
        self._rng.shuffle(found)
        return found

    def _firsts(self, ways: Sequence[Refer], candidates: Sequence[int], env: Mapping[str, Any]) -> list[int]:
        """Candidates that are the first by an order which the ways speak of."""
        found = []
        for way in ways:
            if way.expect == "first" and way.values is None and not way.uses:
                rows = self._world.rows(way.sql, {**env, "id": None})
                found += [rows[0][0]] if rows and rows[0][0] in candidates else []
        return found

    def choice(self, name: str, choice: Choice, env: Mapping[str, Any]) -> dict[str, Any]:
        """A value for a choice (and `name.column` for what else its query gives). Raises NoCandidate."""
        if choice.sql is not None:
            records = self._world.records(choice.sql, env)
            if not records:
                raise NoCandidate(name)
            first, *others = self._rng.choice(records[:CANDIDATES]).items()
            return {name: first[1], **{f"{name}.{column}": value for column, value in others}}
        refused = {row[0] for row in self._world.rows(choice.not_in, env)} if choice.not_in else set()
        for _ in range(VALUES_TRIED):
            value = drawn_value(choice, self._world, self._rng)
            if value not in refused:
                return {name: value}
        raise NoCandidate(name)


def drawn_value(choice: Choice, world: World, rng: Random) -> Any:
    """A value from a choice's own source (not SQL)."""
    if choice.one_of is not None:
        return rng.choice(choice.one_of)
    if choice.date is not None:
        return str(world.today + timedelta(days=rng.randint(*choice.date)))
    if choice.pattern is not None:
        return "".join(rng.choice(MARKS[char]) if char in MARKS else char for char in choice.pattern)
    low, high = choice.int_ or choice.money or (0, 0)
    return rng.randrange(low, high + 1, choice.step)
