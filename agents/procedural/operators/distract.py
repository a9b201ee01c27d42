"""Distract: rows that look like the one meant, in this task's world alone. Clear: they are taken out again.

A distractor counts only if the world stays consistent, every phrase still means the row it meant, gold still works,
and a look-up of gold now returns more rows than before.
"""

from __future__ import annotations

from random import Random

from ....environments.errors import EnvolveError
from ....environments.gold import GoldRun
from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.plans import Plan
from ..tasks.trials import Trials
from ..tasks.worlds import World, seed_image
from .base import Edit, shuffled, workbench
from .lookalikes import Copier

MOST_TRIED = 14
MOST_STATEMENTS = 40


def _distract(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    trials = Trials(environment, offers_of(environment))
    before = trials.trial(plan)
    if bench is None or before is None or len(plan.setup) >= MOST_STATEMENTS:
        return None
    copier = Copier(bench.world, environment.tables(), rng)
    rows = [(slot.reference.table, row) for slot in bench.slots() for row in _meant(slot.reference.rows)]
    rows += [(inner.table, row) for slot in bench.slots() for inner in slot.reference.nested.values() for row in _meant(inner.rows)]
    tried = 0
    for table, row in shuffled(list(dict.fromkeys(rows)), rng):
        for copy in copier.variants(table, row):
            for children in (False, True):
                tried += 1
                if tried > MOST_TRIED:
                    return None
                added = copier.statements(table, row, copy, children=children)
                harder = plan.model_copy(update={"setup": (*plan.setup, *added)})
                if _consistent(environment, harder) and _misleads(trials, harder, before.run):
                    return harder
    return None


def _meant(rows: int | tuple[int, ...]) -> tuple[int, ...]:
    return rows if isinstance(rows, tuple) else (rows,)


def _consistent(environment: Environment, plan: Plan) -> bool:
    """Whether the rows fit the constraints, and every invariant holds."""
    try:
        world = World(seed_image(environment, plan.actor, plan.setup), plan.actor, environment.spec.clock)
    except EnvolveError:
        return False
    return not any(world.rows(invariant.sql) for invariant in environment.spec.invariants)


def _misleads(trials: Trials, plan: Plan, before: GoldRun) -> bool:
    """Whether gold still works, over look-ups that return more rows."""
    trial = trials.trial(plan)
    return trial is not None and _rows_seen(trial.run) > _rows_seen(before)


def _rows_seen(run: GoldRun) -> int:
    return sum(size for pick in run.chosen for size in pick.sources.values())


def _clear(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    return plan.model_copy(update={"setup": ()}) if plan.setup else None


DISTRACT = Edit("distract", "harden", "clear", _distract)
CLEAR = Edit("clear", "soften", "distract", _clear)
