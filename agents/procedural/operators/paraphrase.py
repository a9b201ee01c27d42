"""Paraphrase: the same request in other words. A placebo: operators are reported against it."""

from __future__ import annotations

from random import Random

from ....environments.package import Environment
from ..tasks.offers import offers_of
from ..tasks.plans import Part, Plan, changed
from ..tasks.voice import TONES
from .base import Edit
from .constrain import optional_choices


def _paraphrase(environment: Environment, plan: Plan, rng: Random) -> Plan | None:
    parts = [_reworded(environment, part, rng) for part in plan.parts]
    return plan.with_parts(parts).model_copy(update={"voice": rng.getrandbits(32), "tone": rng.choice(TONES)})


def _reworded(environment: Environment, part: Part, rng: Random) -> Part:
    """Another wording of the part; added clauses need one that is a clause."""
    workflow = offers_of(environment).workflows[part.workflow]
    added = any(name in part.choices for name in optional_choices(workflow))
    says = [place for place, say in enumerate(workflow.say) if place != part.say and not (added and say.sentences)]
    return changed(part, say=rng.choice(says)) if says else part


PARAPHRASE = Edit("paraphrase", None, "paraphrase", _paraphrase)
