"""What a run may still spend on models: what it spent so far, and what calls in flight may come to at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from ..agents.llm.errors import BudgetReached
from ..memory.store.queries.progress import Totals
from .config import RunConfig


class Spending:
    """A budget for `agents.llm.scope`, for all calls of one sitting; `spent` is what earlier ones came to.

    A call is let through only if its worst case, with that of all calls in flight, stays within the budget. One that
    would fit if those in flight cost less than their worst waits until they have landed. Used in one event loop.
    """

    def __init__(self, config: RunConfig, spent: Totals) -> None:
        self._usd, self._tokens = config.budget_usd, config.budget_tokens
        self._spent = _Sum(spent.tokens, spent.cost_usd)
        self._flying = _Sum()
        self._landing = asyncio.Event()

    @property
    def limits_money(self) -> bool:
        return self._usd is not None

    async def reserve(self, *, tokens: int, cost_usd: float) -> Flying:
        """Errors: BudgetReached if this call alone could pass the budget, whatever those in flight come to."""
        while True:
            if option := self._passed(self._spent.tokens + tokens, self._spent.cost_usd + cost_usd):
                raise _reached(option)
            together = self._spent.tokens + self._flying.tokens, self._spent.cost_usd + self._flying.cost_usd
            if not self._passed(together[0] + tokens, together[1] + cost_usd):
                break
            await self._landing.wait()
        self._flying.add(tokens, cost_usd)
        return Flying(tokens, cost_usd, self._landed)

    def _passed(self, tokens: int, cost_usd: float) -> str:
        """The option of a budget that this would pass, or ""."""
        if self._usd is not None and cost_usd > self._usd:
            return "--budget-usd"
        return "--budget-tokens" if self._tokens is not None and tokens > self._tokens else ""

    def _landed(self, reserved: Flying, tokens: int, cost_usd: float) -> None:
        self._flying.add(-reserved.tokens, -reserved.cost_usd)
        self._spent.add(tokens, cost_usd)
        # Whoever waits looks again, and waits for the next landing if that is not enough.
        landing, self._landing = self._landing, asyncio.Event()
        landing.set()


@dataclass(slots=True)
class Flying:
    """What a call in flight may cost at most."""

    tokens: int
    cost_usd: float
    _landed: Callable[[Flying, int, float], None]

    def settle(self, *, tokens: int, cost_usd: float) -> None:
        """The call is over, and this is what it cost."""
        self._landed(self, tokens, cost_usd)


@dataclass(slots=True)
class _Sum:
    tokens: int = 0
    cost_usd: float = 0.0

    def add(self, tokens: int, cost_usd: float) -> None:
        self.tokens += tokens
        self.cost_usd += cost_usd


def _reached(option: str) -> BudgetReached:
    unit = "dollars" if option == "--budget-usd" else "tokens"
    return BudgetReached(
        f"the budget in {unit} does not cover another call", remedy=f"Raise {option} and run it again."
    )
