"""Deepen: a further step that depends on what came before. Shorten: the last such step is left out."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.planner import Planner
from ..tasks.plans import Plan
from .base import Edit, leaves, without

MOST_PARTS = 5


def _deepen(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    if len(plan.parts) >= MOST_PARTS:
        return None
    return Planner(environment, offers_of(environment), rng).followed(plan)


def _shorten(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    last = [index for index in leaves(plan) if plan.parts[index].follows is not None]
    return without(plan, last[-1]) if last else None


DEEPEN = Edit("deepen", "harden", "shorten", _deepen)
SHORTEN = Edit("shorten", "soften", "deepen", _shorten)
