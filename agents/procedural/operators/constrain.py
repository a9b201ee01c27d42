"""Constrain: the request names one more thing to see to. Relax: one less."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.candidates import PartDrawer
from ..tasks.plans import Plan, changed
from ..tasks.references import Referrer
from ..tasks.workflows import Workflow
from ..tasks.worlds import Unfit
from .base import Edit, shuffled, workbench


def _constrain(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for index, said in shuffled(list(enumerate(bench.spoken)), rng):
        part, workflow = plan.parts[index], said.workflow
        clauses = [place for place, say in enumerate(workflow.say) if not say.sentences]
        absent = [name for name, choice in workflow.choose.items() if choice.optional and name not in part.choices]
        for name in shuffled(absent, rng) if clauses else ():
            drawer = PartDrawer(Referrer(bench.offers, bench.world, plan.role), rng, level=0)
            try:
                drawn = drawer.choice(name, workflow.choose[name], said.env)
            except Unfit:
                continue
            say = part.say if part.say in clauses else rng.choice(clauses)
            return plan.with_part(index, changed(part, choices={**part.choices, **drawn}, say=say))
    return None


def _relax(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    bench = workbench(environment, plan)
    if bench is None:
        return None
    for index, said in shuffled(list(enumerate(bench.spoken)), rng):
        part = plan.parts[index]
        named = [name for name in optional_choices(said.workflow) if name in part.choices]
        if named:
            gone = rng.choice(named)
            kept = {name: value for name, value in part.choices.items() if name.split(".")[0] != gone}
            return plan.with_part(index, changed(part, choices=kept))
    return None


def optional_choices(workflow: Workflow) -> list[str]:
    return [name for name, choice in workflow.choose.items() if choice.optional]


CONSTRAIN = Edit("constrain", "harden", "relax", _constrain)
RELAX = Edit("relax", "soften", "constrain", _relax)
