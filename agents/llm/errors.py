"""Errors of model access, by what has to happen next.

InfraError (eval) ── ModelUnavailable   try again later: the run pauses, a rollout is run again
ServiceError      ── ModelRefused       nothing will help but another configuration: the run ends
EnvolveError      ── Unusable           no reply can be used: the item is set aside with the reason, others go on
  Unusable        ── RequestRefused     the provider will never answer this one request
EnvolveError      ── NoMoreCalls        nothing was sent; the run ends cleanly, and the same command goes on
  NoMoreCalls     ── BudgetReached      the next call could pass the budget
  NoMoreCalls     ── Stopping           the run was asked to stop
"""

from __future__ import annotations

from ...environments.errors import EnvolveError, ServiceError
from ...eval.errors import InfraError
from .own_content import Reason


class ModelUnavailable(InfraError):
    """The provider was down, too slow, or refused for its rate limit, for longer than the settings' patience."""


class ModelRefused(ServiceError):
    """The provider will not answer any such request: unknown model or setting, bad key, no rights, no credit."""


class Unusable(EnvolveError):
    """A model's replies did not come to what was asked within the allowed repairs. `problems` are the last ones."""

    def __init__(self, what: str, problems: tuple[str, ...]) -> None:
        shown = "; ".join(problems[:3])
        super().__init__(
            f"The model's reply for {what} cannot be used: {shown}",
            remedy="Try it again, or with a more capable model.",
        )
        self.what = what
        self.problems = problems


class RequestRefused(Unusable):
    """The provider refuses this one request for what it holds. `reason` says what of it: its length ("context"), what
    it says ("content"), or how its tools are written ("form")."""

    def __init__(self, model: str, words: str, *, reason: Reason, remedy: str = "") -> None:
        super().__init__(model, (words,))
        self.message = f"{model} will not answer this request: {words}"
        self.remedy = remedy
        self.reason = reason


class NoMoreCalls(EnvolveError):
    """Models are not to be asked any further. Nothing was sent; what was paid for is kept."""


class BudgetReached(NoMoreCalls):
    """What the next call may cost at most would pass the budget."""


class Stopping(NoMoreCalls):
    """The run was asked to stop: calls in flight are waited for, no more are made."""
