"""Where replies are kept and what they cost is counted, for all that runs within.

Roles know nothing of work items, stores or budgets: whoever has one worked opens a scope around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol


class Replies(Protocol):
    """Replies that were paid for, by place. JSON-like payloads."""

    def get(self, place: str) -> Any | None: ...

    def put(self, place: str, payload: Any, *, tokens: int, cost_usd: float) -> None: ...


class Budget(Protocol):
    """What may still be spent."""

    @property
    def limits_money(self) -> bool:
        """Whether there is a limit in money: models without a known price are then refused."""
        ...

    async def reserve(self, *, tokens: int, cost_usd: float) -> Reservation:
        """Set the worst case of a call aside, once calls in flight leave room for it. Errors: BudgetReached if it may not
        be spent."""
        ...


class Reservation(Protocol):
    def settle(self, *, tokens: int, cost_usd: float) -> None:
        """Replace what was set aside by what it cost. Called once, also for a call that failed: 0 where it
        was refused, the worst case where it broke off and may be billed."""
        ...


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Scope:
    """None: replies are not kept, and nothing limits what is spent. `stopping`: no more calls are to be made."""

    replies: Replies | None = None
    budget: Budget | None = None
    stopping: Callable[[], bool] = _never


_current: ContextVar[Scope | None] = ContextVar("scope", default=None)


@contextmanager
def within(scope: Scope) -> Iterator[None]:
    """Calls within, in this task and those it starts, belong to `scope`."""
    token = _current.set(scope)
    try:
        yield
    finally:
        _current.reset(token)


def current_scope() -> Scope:
    return _current.get() or Scope()
