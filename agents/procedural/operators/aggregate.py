"""Aggregate: which row is meant has to be worked out over rows. Precompute: it is named instead."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.candidates import NoCandidate, PartDrawer
from ..tasks.plans import Part, Plan
from .base import Edit, Slot, Workbench, shuffled, workbench

ROWS_TRIED = 25


def _aggregate(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    for slot in shuffled(bench.slots(), rng) if bench else ():
        if slot.reference.computed or slot.reference.many or bench is None:
            continue
        for row in [slot.reference.rows, *_others(bench, slot, rng)]:
            for refer, reference in shuffled(bench.options(slot, row), rng):
                if reference.computed:
                    return _about(bench, slot, row, refer, rng)
    return None


def _others(bench: Workbench, slot: Slot, rng: Random) -> list[int]:
    """Other rows that the slot may hold: those that some order puts first are among them, if any are."""
    query = slot.said.workflow.targets[slot.name].query(bench.plan.role)
    rows = [row[0] for row in bench.world.rows(query, slot.said.env)] if query else []
    return shuffled(rows, rng)[:ROWS_TRIED]


def _about(bench: Workbench, slot: Slot, row: int, refer: dict[str, int], rng: Random) -> Plan | None:
    """The plan about another row: values that depend on the row are drawn anew."""
    part = bench.plan.parts[slot.index]
    if row == slot.reference.rows:
        return bench.referring(slot, refer)
    drawer = PartDrawer(bench.referrer(slot), rng, level=slot.reference.indirect)
    try:
        choices = _redrawn(drawer, slot, part, row)
    except NoCandidate:
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
    for slot in shuffled(bench.slots(), rng) if bench else ():
        if slot.reference.computed and bench:
            plain = [option for option in bench.options(slot) if not option[1].computed]
            if plain:
                return bench.referring(slot, min(plain, key=lambda option: option[1].directness)[0])
    return None


AGGREGATE = Edit("aggregate", "harden", "precompute", _aggregate)
PRECOMPUTE = Edit("precompute", "soften", "aggregate", _precompute)
