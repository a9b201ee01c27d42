"""The words of a whole request, from the parts' wordings and phrases."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random

from ....environments.canonical import seed_from
from .formats import fill, fill_sentences, undoubled
from .grammar import fits
from .plans import Plan
from .speaking import Spoken, Unusable
from .voice import Utterance, say_all
from .workflows import Say


def instruction(spoken: Sequence[Spoken], plan: Plan, today: date) -> str:
    """What the person says. Raises Unusable if no wording takes the phrases."""
    rng = Random(seed_from("voice", plan.voice))
    return say_all([_utterance(said, today) for said in spoken], plan.tone, rng)


def _utterance(said: Spoken, today: date) -> Utterance:
    workflow, part = said.workflow, said.part
    say = wording(said)
    adds = [choice.add for name, choice in workflow.choose.items() if choice.add and name in part.choices]
    why = workflow.why[part.why % len(workflow.why)] if part.why is not None and workflow.why else None
    try:
        return Utterance(
            text=undoubled((fill_sentences if say.sentences else fill)(say.text, said.text, today)),
            sentences=say.sentences,
            adds=tuple(fill(add, said.text, today) for add in adds),
            why=why and fill(why, said.text, today),
            follows=part.follows is not None,
            join=part.join or "then",
        )
    except KeyError as error:
        raise Unusable(f"{workflow.key}: nothing is called {error}") from error


def wording(said: Spoken) -> Say:
    """The words of a part: the wording that it names, or the next one into which its phrases fit. Added clauses and
    sets of rows need a clause: in sentences they would have to agree with a verb."""
    says = said.workflow.say
    first = said.part.say % len(says)
    phrases = {slot: said.text[slot] for slot in said.workflow.slots}
    added = any(choice.add and name in said.part.choices for name, choice in said.workflow.choose.items())
    turned = [*says[first:], *says[:first]]
    clause = added or any(reference.many for reference in said.references.values())
    usable = [say for say in turned if not (clause and say.sentences)] or turned
    fitting = next((say for say in usable if fits(say.text, phrases)), None)
    if fitting is None:
        raise Unusable(f"{said.workflow.key}: no wording takes such a phrase")
    return fitting
