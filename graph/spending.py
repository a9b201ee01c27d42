"""What a run may still spend on models: what it spent so far, and what calls in flight may come to at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..agents.llm.errors import BudgetReached
from ..memory.store.queries.progress import Totals
from .config import RunConfig


class Spending:
    """A budget for `agents.llm.scope`, for all calls of one sitting; `spent` is what earlier ones came to.

    A call is let through only if its worst case, with that of all calls in flight, stays within the budget: a run never
    spends more than it was given, whatever models answer. Called from one thread.
    """

    def __init__(self, config: RunConfig, spent: Totals) -> None:
        self._usd, self._tokens = config.budget_usd, config.budget_tokens
        self._spent = _Sum(spent.tokens, spent.cost_usd)
        self._flying = _Sum()

    @property
    def limits_money(self) -> bool:
        return self._usd is not None

    def reserve(self, *, tokens: int, cost_usd: float) -> Flying:
        """Errors: BudgetReached if this call could pass the budget."""
        worst = _Sum(
            self._spent.tokens + self._flying.tokens + tokens,
            self._spent.cost_usd + self._flying.cost_usd + cost_usd,
        )
        if self._usd is not None and worst.cost_usd > self._usd:
            raise _reached("dollars", "--budget-usd")
        if self._tokens is not None and worst.tokens > self._tokens:
            raise _reached("tokens", "--budget-tokens")
        self._flying.add(tokens, cost_usd)
        return Flying(tokens, cost_usd, self._landed)

    def _landed(self, reserved: Flying, tokens: int, cost_usd: float) -> None:
        self._flying.add(-reserved.tokens, -reserved.cost_usd)
        self._spent.add(tokens, cost_usd)


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


def _reached(unit: str, option: str) -> BudgetReached:
    return BudgetReached(
        f"the budget in {unit} does not cover another call", remedy=f"Raise {option} and run it again."
    )
