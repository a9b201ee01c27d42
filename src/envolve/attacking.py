"""Attackers by name, for `envolve audit --attacker`: a model, or `module:attr`. What an attacker of the user's own does
is held against the protocol: what it raises, and whatever it yields that is no attempt, is told as its error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from envolve.agents.attributes import attribute_at, instance_of, refuse_path
from envolve.agents.llm import chat_with, is_model_name
from envolve.agents.llm.base import ModelSettings
from envolve.environments.errors import InputError
from envolve.environments.models import CallStep, PickStep, SubmitStep, Task
from envolve.environments.package import Environment
from envolve.eval.audit.attacks import Attacker, Attempt
from envolve.eval.errors import ForeignError
from envolve.eval.foreign import foreign
from envolve.eval.usage import Usage

from .teams import Spent, spent_by

_END = object()


def attacker_named(name: str, settings: ModelSettings | None = None) -> Attacker:
    """The attacker called `name`; `settings` are those of a model. A class is called without arguments. Raises
    InputError, saying what there is."""
    if is_model_name(name):
        from envolve.agents.prompted.attacker import PromptedAttacker

        return PromptedAttacker(chat_with(name, settings))
    refuse_path(name, "attacker")
    if ":" not in name:
        raise InputError(
            f"There is no attacker {name!r}.", remedy="Attackers: a model such as openai:MODEL[@URL], or module:attr."
        )
    attacker = instance_of(attribute_at(name, "attacker"), name, "attacker")
    with foreign("attacker", name):
        attacks, own = isinstance(attacker, Attacker), getattr(attacker, "name", None)
    if not attacks or not isinstance(own, str):
        unnamed = f"its name is {own!r}, no text" if attacks else type(attacker).__name__
        raise InputError(
            f"{name!r} is no attacker: {unnamed}.",
            remedy="Give an object with `name` and `attempts(environment, task, *, budget, seed)`, or a class of such.",
        )
    return _Attacking(own, name, attacker)


class _Attacking:
    """Somebody's code as an attacker: only attempts come out of it. `given` is what the user called it."""

    def __init__(self, name: str, given: str, attacker: Attacker) -> None:
        self.name = name
        self._given = given
        self._attacker = attacker

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        """Raises ForeignError for what the attacker raises and for what it yields that is no attempt."""
        with foreign("attacker", self._given):
            attempts = iter(self._attacker.attempts(environment, task, budget=budget, seed=seed))
        while True:
            with foreign("attacker", self._given):
                attempt: Any = next(attempts, _END)
            if attempt is _END:
                return
            if not _is_attempt(attempt):
                raise ForeignError(
                    f"The attacker {self._given!r} yielded {attempt!r:.80}, which is no attempt.",
                    remedy="Yield envolve.eval.audit.attacks.Attempt(kind, program); the program is of gold's steps.",
                )
            yield attempt


def _is_attempt(attempt: Any) -> bool:
    return (
        isinstance(attempt, Attempt)
        and isinstance(attempt.kind, str)
        and isinstance(attempt.program, tuple | list)
        and all(isinstance(step, CallStep | PickStep | SubmitStep) for step in attempt.program)
        and isinstance(attempt.spent, int)
    )


def attackers_named(names: Sequence[str]) -> list[Attacker]:
    return [attacker_named(name) for name in dict.fromkeys(names)]


def spent_on(attackers: Sequence[Attacker], usage: Usage) -> Spent:
    """What the models among them were paid."""
    return spent_by([attacker.name for attacker in attackers if is_model_name(attacker.name)], usage)
