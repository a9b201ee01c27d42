"""Critics by name: `rules`, a model, `module:attr`, or what a package offers in the entry-point group
`envolve.critics`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

from ...environments.errors import InputError
from ...environments.models import Finding
from ...eval.foreign import foreign
from ..attributes import attribute_at, instance_of, offered_at
from ..base import Critic, Dossier
from ..llm.base import ModelSettings
from ..llm.names import is_model_name
from .panel import Panel

GROUP = "envolve.critics"
_BUILT_IN = ("rules", "openai:MODEL[@URL]")


def critic_named(name: str, settings: ModelSettings | None = None) -> Critic:
    """The critic called `name`; `settings` are those of a model. Raises InputError, listing what exists.

    A class is called without arguments; a plain function `review(dossier)`, asynchronous or not, will do too.
    """
    if name == "rules":
        # Imported here: rules read SQL trees, which takes a while to import.
        from .rules_critic import RulesCritic

        return RulesCritic()
    if is_model_name(name):
        # Imported here: what talks to models takes a while to import.
        from ..llm import chat_with
        from ..prompted.critic import PromptedCritic

        return PromptedCritic(chat_with(name, settings))
    if ":" in name:
        return as_critic(attribute_at(name, "critic"), name)
    offered = {point.name: point for point in entry_points(group=GROUP)}
    if name not in offered:
        listed = ", ".join([*_BUILT_IN, *sorted(offered)])
        raise InputError(f"There is no critic {name!r}.", remedy=f"Critics: {listed}; or give module:attr.")
    return as_critic(offered_at(offered[name], "critic"), name)


def panel_of(names: Sequence[str], settings: ModelSettings | None = None) -> Panel:
    """A panel of the named critics; `settings` are those of models among them. Raises InputError for a name that does
    not lead to a critic."""
    return Panel([critic_named(name, settings) for name in names])


def as_critic(offered: Any, name: str) -> Critic:
    """A critic from a critic, a class, or a function. Raises InputError for anything else."""
    critic = instance_of(offered, name, "critic")
    with foreign("critic", name):
        review, own = getattr(critic, "review", None), getattr(critic, "name", None)
    if callable(review):
        return _Reviewing(own if isinstance(own, str) else name, review)
    if callable(critic):
        return _Reviewing(name, critic)
    raise InputError(
        f"{name!r} is no critic: {type(critic).__name__}.",
        remedy="Give an object with `async review(dossier) -> list[Finding]`, a class of such, or a function.",
    )


class _Reviewing:
    """A function as a critic."""

    def __init__(self, name: str, function: Callable[[Dossier], Any]) -> None:
        self.name = name
        self._function = function

    async def review(self, dossier: Dossier) -> list[Finding]:
        found = self._function(dossier)
        result: list[Finding] = await found if inspect.isawaitable(found) else found
        return result
