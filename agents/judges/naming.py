"""Judges by name: `rules`, a model, `module:attr`, or what a package offers in the entry-point group
`envolve.judges`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from ...environments.errors import InputError
from ...eval.foreign import foreign
from ..attributes import attribute_at, instance_of, offered_at
from ..llm.base import ModelSettings
from ..llm.names import is_model_name
from .base import Case, Judge, Judgement, NoJudgement
from .deciding import DecidingJudge

GROUP = "envolve.judges"
_BUILT_IN = ("rules", "openai:MODEL[@URL]")


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
    if ":" in name:
        return as_judge(attribute_at(name, "judge"), name)
    offered = {point.name: point for point in entry_points(group=GROUP)}
    if name not in offered:
        listed = ", ".join([*_BUILT_IN, *sorted(offered)])
        raise InputError(f"There is no judge {name!r}.", remedy=f"Judges: {listed}; or give module:attr.")
    return as_judge(offered_at(offered[name], "judge"), name)


def decider_named(name: str, settings: ModelSettings | None = None) -> DecidingJudge:
    """The deciding judge called `name`: a model, or `module:attr`; a class is called without arguments. Raises
    InputError, saying what there is."""
    if is_model_name(name):
        from ..llm import chat_with
        from ..prompted.judge import PromptedDecider

        return PromptedDecider(chat_with(name, settings))
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
    judge = instance_of(offered, name, "judge")
    with foreign("judge", name):
        method, own = getattr(judge, "judge", None), getattr(judge, "name", None)
    if callable(method):
        return _Judging(own if isinstance(own, str) else name, method)
    if callable(judge):
        return _Judging(name, judge)
    raise InputError(
        f"{name!r} is no judge: {type(judge).__name__}.",
        remedy="Give an object with `async judge(case) -> Judgement`, a class of such, or a function.",
    )


class _Judging:
    """Somebody's code as a judge: what it returns counts only if it is a judgement."""

    def __init__(self, name: str, function: Callable[[Case], Any]) -> None:
        self.name = name
        self._function = function

    async def judge(self, case: Case) -> Judgement:
        with foreign("judge", self.name, NoJudgement):
            found = self._function(case)
            judgement = await found if inspect.isawaitable(found) else found
        if not isinstance(judgement, Judgement):
            raise NoJudgement(
                f"{self.name} returned {judgement!r:.80}, which is no judgement.",
                remedy="Return envolve.agents.judges.Judgement(ruling=…, reason=…).",
            )
        return judgement
