"""Attackers by name, for `envolve audit --attacker`: a model, or `module:attr`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from envolve.agents.attributes import attribute_at
from envolve.agents.llm import chat_with, is_model_name
from envolve.agents.llm.base import ModelSettings
from envolve.environments.errors import InputError
from envolve.eval.audit.attacks import Attacker
from envolve.eval.usage import Usage

from .teams import Spent, spent_by


def attacker_named(name: str, settings: ModelSettings | None = None) -> Attacker:
    """The attacker called `name`; `settings` are those of a model. A class is called without arguments. Raises
    InputError, saying what there is."""
    if is_model_name(name):
        from envolve.agents.prompted.attacker import PromptedAttacker

        return PromptedAttacker(chat_with(name, settings))
    if ":" not in name:
        raise InputError(
            f"There is no attacker {name!r}.", remedy="Attackers: a model such as openai:MODEL[@URL], or module:attr."
        )
    offered = attribute_at(name, "attacker")
    attacker = offered() if inspect.isclass(offered) else offered
    if not isinstance(attacker, Attacker):
        raise InputError(
            f"{name!r} is no attacker: {type(attacker).__name__}.",
            remedy="Give an object with `name` and `attempts(environment, task, *, budget, seed)`, or a class of such.",
        )
    return attacker


def attackers_named(names: Sequence[str]) -> list[Attacker]:
    return [attacker_named(name) for name in dict.fromkeys(names)]


def spent_on(attackers: Sequence[Attacker], usage: Usage) -> Spent:
    """What the models among them were paid."""
    return spent_by([attacker.name for attacker in attackers if is_model_name(attacker.name)], usage)
