"""Distract: rows that look like the one meant, in this task's world alone. Clear: they are taken out again.

A distractor counts only if the world stays consistent, every phrase still means the row it meant, gold still works,
and a look-up of gold now returns more rows than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from random import Random
from typing import Any

from ....environments.errors import EnvolveError
from ....environments.gold import GoldRun
from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.plans import Plan
from ..tasks.trials import Trials
from ..tasks.worlds import World, seed_image
from .base import Edit, Workbench, shuffled, workbench
from .lookalikes import Copier

MOST_TRIED = 24
LOOKALIKES = 3
"""Rows added by one application."""
MOST_STATEMENTS = 40


def _distract(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    trials = Trials(environment, offers_of(environment))
    before = trials.trial(plan)
    if bench is None or before is None or len(plan.setup) >= MOST_STATEMENTS:
        return None
    copier = Copier(bench.world, environment.tables(), rng)
    now, seen, added = plan, _rows_seen(before.run), list[tuple[str, dict[str, Any]]]()
    for table, row, copy, children in islice(_copies(bench, copier, rng), MOST_TRIED):
        if (table, copy) in added:
            continue
        statements = copier.statements(table, row, copy, children=children)
        harder = now.model_copy(update={"setup": (*now.setup, *statements)})
        more = _rows_seen_with(environment, trials, harder)
        if more > seen:
            now, seen = harder, more
            added.append((table, copy))
        if len(added) == LOOKALIKES:
            break
    return now if added else None


def _copies(bench: Workbench, copier: Copier, rng: Random) -> Iterator[tuple[str, int, dict[str, Any], bool]]:
    """Copies of the rows that phrases speak of: (table, row, copy, with the rows that belong to it), in turn."""
    pending = [slot.reference for slot in bench.slots()]
    rows: list[tuple[str, int]] = []
    while pending:
        reference = pending.pop()
        rows += [(reference.table, row) for row in _meant(reference.rows)]
        pending += reference.nested.values()
    variants = [
        [(table, row, copy, children) for copy in copier.variants(table, row) for children in (False, True)]
        for table, row in shuffled(list(dict.fromkeys(rows)), rng)
    ]
    for turn in zip_longest(*variants):
        yield from (one for one in turn if one is not None)


def _meant(rows: int | tuple[int, ...]) -> tuple[int, ...]:
    return rows if isinstance(rows, tuple) else (rows,)


def _rows_seen_with(environment: Environment, trials: Trials, plan: Plan) -> int:
    """The rows that gold's picks see in the changed world; 0 if it is inconsistent, or the task no longer works."""
    try:
        world = World(seed_image(environment, plan.actor, plan.setup), plan.actor, environment.spec.clock)
    except EnvolveError:
        return 0
    if any(world.rows(invariant.sql) for invariant in environment.spec.invariants):
        return 0
    trial = trials.trial(plan)
    return _rows_seen(trial.run) if trial else 0


def _rows_seen(run: GoldRun) -> int:
    return sum(size for pick in run.chosen for size in pick.sources.values())


def _clear(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    return plan.model_copy(update={"setup": ()}) if plan.setup else None


DISTRACT = Edit("distract", "harden", "clear", _distract)
CLEAR = Edit("clear", "soften", "distract", _clear)
