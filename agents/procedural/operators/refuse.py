"""Refuse: the same request where a rule forbids it, with the parent's own as its legitimate twin. Nothing undoes it."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.planner import Planner
from ..tasks.plans import Plan
from ..tasks.refusals import Refuser, Twins
from .base import Edit, shuffled


def _refuse(environment: Environment, plan: Plan, rng: Random) -> Twins | None:
    """Of a request for several things one stays: what is to become of the others is not said by any rule."""
    offers = offers_of(environment)
    refuser = Refuser(Planner(environment, offers, rng), offers, rng)
    for index in shuffled(list(range(len(plan.parts))), rng):
        part = plan.parts[index]
        if part.follows is not None:
            continue
        twin = plan.with_parts((part,)).model_copy(update={"twinned": True})
        for refusal in refuser.forbidden(twin, 0):
            twins = Twins(refusal.model_copy(update={"twinned": False}), twin)
            if refuser.told_apart(twins):
                return twins
    return None


REFUSE = Edit("refuse", "harden", None, _refuse)
