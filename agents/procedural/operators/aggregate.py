"""Aggregate: which row is meant has to be worked out over rows. Precompute: it is named instead."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.candidates import PartDrawer
from ..tasks.plans import Part, Plan
from ..tasks.worlds import Unfit
from .base import Edit, Slot, Workbench, shuffled, workbench

ROWS_TRIED = 25


def _aggregate(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for slot in shuffled(bench.slots(), rng):
        if slot.reference.computed or slot.reference.many:
            continue
        for row in [slot.reference.rows, *shuffled(bench.candidates(slot), rng)[:ROWS_TRIED]]:
            for refer, reference in shuffled(bench.options(slot, row), rng):
                if reference.computed:
                    return _about(bench, slot, row, refer, rng)
    return None


def _about(bench: Workbench, slot: Slot, row: int, refer: dict[str, int], rng: Random) -> Plan | None:
    """The plan about another row: values that depend on the row are drawn anew."""
    part = bench.plan.parts[slot.place]
    if row == slot.reference.rows:
        return bench.referring(slot, refer)
    drawer = PartDrawer(bench.referrer(slot), rng, level=slot.reference.indirect)
    try:
        choices = _redrawn(drawer, slot, part, row)
    except Unfit:
        return None
    return bench.referring(slot, refer, rows={**part.rows, slot.name: row}, choices=choices)


def _redrawn(drawer: PartDrawer, slot: Slot, part: Part, row: int) -> dict[str, object]:
    env = {**slot.said.env, slot.name: row}
    choices = dict(part.choices)
    for name, choice in slot.said.workflow.choose.items():
        if name in choices and f":{slot.name}" in (choice.sql or ""):
            drawn = drawer.choice(name, choice, env)
            choices |= drawn
            env |= drawn
    return choices


def _precompute(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for slot in shuffled(bench.slots(), rng):
        if slot.reference.computed:
            plain = [option for option in bench.options(slot) if not option[1].computed]
            if plain:
                return bench.referring(slot, min(plain, key=lambda option: option[1].distance)[0])
    return None


AGGREGATE = Edit("aggregate", "harden", "precompute", _aggregate)
PRECOMPUTE = Edit("precompute", "soften", "aggregate", _precompute)
