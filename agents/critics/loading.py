"""Critics by name: `rules`, a model, `module:attr`, or what a package offers in the entry-point group
`envolve.critics`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...environments.models import Finding
from ..base import Critic, Dossier
from ..llm.base import ModelSettings
from ..llm.names import is_model_name
from ..named import Called, Role, called_as, offered_as
from .panel import Panel

GROUP = "envolve.critics"
_ROLE = Role("critic", "review", "review(dossier) -> list[Finding]", GROUP, ("rules", "openai:MODEL[@URL]"))


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
    return as_critic(offered_as(name, _ROLE), name)


def panel_of(names: Sequence[str], settings: ModelSettings | None = None) -> Panel:
    """A panel of the named critics; `settings` are those of models among them. Raises InputError for a name that does
    not lead to a critic."""
    return Panel([critic_named(name, settings) for name in names])


def as_critic(offered: Any, name: str) -> Critic:
    """A critic from a critic, a class, or a function. Raises InputError for anything else."""
    return _Reviewing(called_as(offered, name, _ROLE))


class _Reviewing:
    """Somebody's code as a critic. What it answers is held against the protocol by the panel."""

    def __init__(self, called: Called) -> None:
        self.name = called.name
        self._called = called

    async def review(self, dossier: Dossier) -> list[Finding]:
        found: list[Finding] = await self._called(dossier)
        return found
