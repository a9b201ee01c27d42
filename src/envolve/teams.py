"""Who plays which role in a command that works without a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from envolve.agents.llm import price_of
from envolve.agents.team import ROLES, TeamSpec, check_role
from envolve.eval.usage import Usage


class Spent(NamedTuple):
    """What models were paid. `cost_usd` is None where the price of one is not known."""

    tokens: int = 0
    cost_usd: float | None = 0.0

    @property
    def line(self) -> str:
        cost = "no price is known" if self.cost_usd is None else f"${self.cost_usd:.2f}"
        return f"{self.tokens} tokens, {cost}"


def spent_by(models: Sequence[str], usage: Usage) -> Spent:
    """What was metered, told as money only if every one of `models` has a price."""
    priced = all(price_of(name) is not None for name in models)
    return Spent(usage.tokens, usage.cost_usd if priced else None)


def team_spec(everyone: str | None = None, *, critics: Sequence[str] | None = None, **roles: str | None) -> TeamSpec:
    """A team in which `everyone`, if given, plays what no one else is named for, and reviews beside the rules. Nobody
    reviews unless named.

    Errors: InputError for a name that neither is procedural nor a model.
    """
    named = {role: name for role, name in roles.items() if name is not None}
    values: dict[str, Any] = {"critics": (), **(played_by(everyone) if everyone else {}), **named}
    if critics:
        values["critics"] = critics
    spec = TeamSpec(**values)
    for role in ROLES:
        check_role(role, getattr(spec, role))
    return spec


def played_by(model: Any) -> dict[str, Any]:
    """All roles by one model, which reviews beside the rules."""
    return {**dict.fromkeys(ROLES, model), "critics": ["rules", model]}
