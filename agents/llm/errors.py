"""Errors of model access, by what has to happen next.

InfraError (eval) ── ModelUnavailable   try again later: the run pauses, a rollout is run again
ServiceError      ── ModelRefused       nothing will help but another configuration: the run ends
EnvolveError      ── Unusable           this reply cannot be used: the item is set aside with the reason
EnvolveError      ── BudgetReached      the next call could pass the budget: the run ends cleanly
"""

from __future__ import annotations

from ...environments.errors import EnvolveError, ServiceError
from ...eval.errors import InfraError


class ModelUnavailable(InfraError):
    """The provider was down, too slow, or refused for its rate limit, for longer than the settings' patience."""


class ModelRefused(ServiceError):
    """The provider will not answer such requests: unknown model, bad key, no rights, a request too long."""


class Unusable(EnvolveError):
    """A model's replies did not come to what was asked within the allowed repairs. `problems` are the last ones."""

    def __init__(self, what: str, problems: tuple[str, ...]) -> None:
        shown = "; ".join(problems[:3])
        super().__init__(f"The model's reply for {what} cannot be used: {shown}")
        self.what = what
        self.problems = problems


class BudgetReached(EnvolveError):
    """What the next call may cost at most would pass the budget. Nothing was sent."""
