"""Judges by name: `rules`, a model, `module:attr`, or what a package offers in the entry-point group
`envolve.judges`."""

from __future__ import annotations

from typing import Any

from ...environments.errors import InputError
from ...eval.foreign import foreign
from ..attributes import attribute_at, instance_of, refuse_path
from ..llm.base import ModelSettings
from ..llm.names import is_model_name
from ..named import Called, Role, called_as, offered_as
from .base import Case, Judge, Judgement, NoJudgement
from .deciding import DecidingJudge

GROUP = "envolve.judges"
_ROLE = Role("judge", "judge", "judge(case) -> Judgement", GROUP, ("rules", "openai:MODEL[@URL]"))


def judge_named(name: str, settings: ModelSettings | None = None) -> Judge:
    """The judge called `name`; `settings` are those of a model. Raises InputError, listing what exists.

    A class is called without arguments; a plain function `judge(case)`, asynchronous or not, will do too.
    """
    if name == "rules":
        # Imported here: rules read states, which takes a while to import.
        from .rules import RulesJudge

        return RulesJudge()
    if is_model_name(name):
        # Imported here: what talks to models takes a while to import.
        from ..llm import chat_with
        from ..prompted.judge import PromptedJudge

        return PromptedJudge(chat_with(name, settings))
    return as_judge(offered_as(name, _ROLE), name)


def decider_named(name: str, settings: ModelSettings | None = None) -> DecidingJudge:
    """The deciding judge called `name`: a model, or `module:attr`; a class is called without arguments. Raises
    InputError, saying what there is."""
    if is_model_name(name):
        from ..llm import chat_with
        from ..prompted.judge import PromptedDecider

        return PromptedDecider(chat_with(name, settings))
    refuse_path(name, "judge")
    judge = instance_of(attribute_at(name, "judge"), name, "judge") if ":" in name else None
    with foreign("judge", name):
        decides = isinstance(judge, DecidingJudge)
    if judge is None or not decides:
        raise InputError(
            f"{name!r} is no deciding judge.",
            remedy="Name a model such as openai:MODEL[@URL], or module:attr of an object with `name` and "
            "`async decide(case) -> Decision`.",
        )
    decider: DecidingJudge = judge
    return decider


def as_judge(offered: Any, name: str) -> Judge:
    """A judge from a judge, a class, or a function. Raises InputError for anything else."""
    return _Judging(called_as(offered, name, _ROLE))


class _Judging:
    """Somebody's code as a judge: what it returns counts only if it is a judgement."""

    def __init__(self, called: Called) -> None:
        self.name = called.name
        self._called = called

    async def judge(self, case: Case) -> Judgement:
        with foreign("judge", self.name, NoJudgement):
            judgement = await self._called(case)
        if not isinstance(judgement, Judgement):
            raise NoJudgement(
                f"{self.name} returned {judgement!r:.80}, which is no judgement.",
                remedy="Return envolve.agents.judges.Judgement(ruling=…, reason=…).",
            )
        return judgement
