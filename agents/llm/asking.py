"""A chat over a provider: a kept reply if there is one; else the budget is asked, then the provider, while it may."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError

from ...environments.canonical import sha256
from ...eval.usage import add_usage
from .base import ChatReply, ChatRequest, ModelSettings, Usage
from .connection import Connection
from .errors import Stopping
from .estimating import likely_usage, most_prompt_tokens
from .failures import Trouble
from .names import ModelName
from .pricing import no_price, price_of
from .refusals import error_for
from .retrying import until_it_passes
from .scope import Budget, Reservation, Scope, current_scope


class _Spent(NamedTuple):
    """What a call came to, or may come to."""

    tokens: int
    cost_usd: float


_NOTHING = _Spent(0, 0.0)


class ProviderChat:
    """Made by `chat_with`; may be used in any event loop, also in several."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._name = name
        self._settings = settings
        self._price = price_of(name)
        self._connection = Connection(ModelName.parse(name), settings)

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> ModelSettings:
        return self._settings

    def __repr__(self) -> str:
        return f"ProviderChat({self._name!r})"

    async def ask(self, request: ChatRequest) -> ChatReply:
        """See `agents.llm.base.Chat`."""
        scope = current_scope()
        place = self._place(request) if scope.replies else ""
        reply = _kept(scope.replies.get(place)) if scope.replies else None
        if reply is None:
            reply = await self._paid(request, scope)
            if scope.replies:
                payload = {
                    "model": self._name,
                    "request": request.model_dump(mode="json"),
                    "reply": reply.model_dump(mode="json"),
                }
                scope.replies.put(place, payload, tokens=reply.usage.tokens, cost_usd=reply.cost_usd)
        # A rollout that goes on after a kill has cost what all its replies did, kept ones included.
        add_usage(tokens=reply.usage.tokens, cost_usd=reply.cost_usd)
        return reply

    def _place(self, request: ChatRequest) -> str:
        """Of all that decides what the model is asked."""
        settings = self._settings.model_dump(mode="json", include={"temperature", "max_output_tokens", "effort"})
        return sha256([self._name, settings, request.model_dump(mode="json")])

    async def _paid(self, request: ChatRequest, scope: Scope) -> ChatReply:
        attempt = partial(self._attempt, request, scope)
        outcome = await until_it_passes(attempt, self._settings, scope.stopping)
        if isinstance(outcome, Trouble):
            raise await error_for(self._connection, outcome)
        return outcome

    async def _attempt(self, request: ChatRequest, scope: Scope) -> ChatReply | Trouble:
        """Money is set aside while the call is in flight only: what waits for its turn must not keep others from
        theirs. Errors: Stopping before anything is sent."""
        async with self._connection.slot():
            if scope.stopping():
                raise Stopping("The run was asked to stop.")
            worst = self._worst(request)
            reservation = await self._reserve(worst, scope.budget) if scope.budget else None
            # Also where the call is cancelled on its way: the provider does not hear of it, and bills it.
            spent = worst
            try:
                outcome = await self._connection.send(request)
                if isinstance(outcome, Trouble):
                    spent = worst if outcome.may_cost else _NOTHING
                    return outcome
                reply = self._counted(request, outcome)
                spent = _Spent(reply.usage.tokens, reply.cost_usd)
                return reply
            finally:
                if reservation:
                    reservation.settle(tokens=spent.tokens, cost_usd=spent.cost_usd)

    def _worst(self, request: ChatRequest) -> _Spent:
        """Nothing cached, and as long an answer as is allowed."""
        most = request.max_output_tokens or self._settings.max_output_tokens
        worst = Usage(prompt=most_prompt_tokens(request), completion=most)
        return _Spent(worst.tokens, self._price.cost(worst) if self._price else 0.0)

    async def _reserve(self, worst: _Spent, budget: Budget) -> Reservation:
        if self._price is None and budget.limits_money:
            raise no_price(self._name)
        return await budget.reserve(tokens=worst.tokens, cost_usd=worst.cost_usd)

    def _counted(self, request: ChatRequest, reply: ChatReply) -> ChatReply:
        usage = reply.usage if reply.usage.tokens else likely_usage(request, reply)
        cost = self._price.cost(usage) if self._price else 0.0
        return reply.model_copy(update={"usage": usage, "cost_usd": cost, "priced": self._price is not None})


def _kept(payload: Any | None) -> ChatReply | None:
    """None for one that another version kept."""
    try:
        return None if payload is None else ChatReply.model_validate(payload["reply"])
    except (ValidationError, LookupError, TypeError):
        return None
