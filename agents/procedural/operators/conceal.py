"""Conceal: a name becomes a description that must be looked up. Reveal: a description becomes a name, never a key."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.plans import Plan
from .base import Edit, shuffled, workbench


def _conceal(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    return _moved(environment, plan, rng, 1)


def _reveal(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    return _moved(environment, plan, rng, -1)


def _moved(environment: Environment, plan: Plan, rng: Random, by: int) -> Plan | None:
    """The plan with one phrase more (or less) indirect: the nearest level that some way of that row has."""
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for slot in shuffled(bench.slots(), rng):
        now = slot.reference.distance
        found = [
            (abs(reference.distance - now), refer)
            for refer, reference in shuffled(bench.options(slot), rng)
            if (reference.distance - now) * by > 0 and not reference.computed
        ]
        if found and not slot.reference.computed:
            return bench.referring(slot, min(found, key=lambda one: one[0])[1])
    return None


CONCEAL = Edit("conceal", "harden", "reveal", _conceal)
REVEAL = Edit("reveal", "soften", "conceal", _reveal)
