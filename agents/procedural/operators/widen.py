"""Widen: another independent goal, or the same for a set of rows. Narrow: one goal, or one row, less."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.planner import Planner
from ..tasks.plans import Plan
from ..tasks.workflows import Refer
from .base import Edit, Slot, Workbench, leaves, shuffled, without, workbench

MOST_PARTS = 5
MOST_ROWS = 6


def _widen(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    if rng.random() < 0.5:
        for slot in shuffled(bench.slots(), rng):
            wider = _for_a_set(bench, slot)
            if wider is not None:
                return wider
    if len(plan.parts) >= MOST_PARTS:
        return None
    return Planner(environment, offers_of(environment), rng).widened(plan)


def _for_a_set(bench: Workbench, slot: Slot) -> Plan | None:
    """The same for every row that a way to speak of several gives, the slot's own among them."""
    if slot.reference.many or not isinstance(slot.reference.rows, int):
        return None
    candidates = set(bench.candidates(slot))
    for index, way in enumerate(bench.ways(slot)):
        rows = _spoken_of(bench, slot, way) if way.expect == "many" else ()
        if slot.reference.rows in rows and 2 <= len(rows) <= MOST_ROWS and candidates.issuperset(rows):
            refer = next((refer for refer, _ in bench.options(slot, rows) if refer[slot.name] == index), None)
            if refer is not None:
                part = bench.plan.parts[slot.place]
                return bench.referring(slot, refer, rows={**part.rows, slot.name: rows})
    return None


def _spoken_of(bench: Workbench, slot: Slot, way: Refer) -> tuple[int, ...]:
    """The rows that a way to speak of several means, seen from the slot's own."""
    env = {**slot.said.env, "id": slot.reference.rows}
    for name, use in way.uses.items():
        env[name] = bench.world.value(use.sql, env)
    values = bench.world.record(way.values, env) if way.values else {}
    if values is None or None in (*values.values(), *(env[name] for name in way.uses)):
        return ()
    return tuple(sorted(row[0] for row in bench.world.rows(way.sql, {**env, **values})))


def _narrow(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for slot in bench.slots():
        if slot.reference.many and isinstance(slot.reference.rows, tuple):
            for row in shuffled(slot.reference.rows, rng):
                for refer, _ in bench.options(slot, row):
                    part = plan.parts[slot.place]
                    return bench.referring(slot, refer, rows={**part.rows, slot.name: row})
    apart = [index for index in leaves(plan) if plan.parts[index].follows is None]
    return without(plan, rng.choice(apart)) if apart and len(plan.parts) > 1 else None


WIDEN = Edit("widen", "harden", "narrow", _widen)
NARROW = Edit("narrow", "soften", "widen", _narrow)
