"""What a rollout cost: solvers that pay for something say so while they work, and the rollout adds it up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Usage:
    """Running totals."""

    tokens: int = 0
    cost_usd: float = 0.0


_current: ContextVar[Usage | None] = ContextVar("usage", default=None)


@contextmanager
def metered() -> Iterator[Usage]:
    """Totals of what is added within, in this task and those it starts."""
    usage = Usage()
    token = _current.set(usage)
    try:
        yield usage
    finally:
        _current.reset(token)


def add_usage(*, tokens: int = 0, cost_usd: float = 0.0) -> None:
    """Add to the rollout that is being metered; without one, nothing."""
    usage = _current.get()
    if usage is not None:
        usage.tokens += tokens
        usage.cost_usd += cost_usd
