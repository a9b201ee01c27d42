"""What ends a run before its target: budgets, time, rounds, and being asked to stop."""

from __future__ import annotations

import time
from collections.abc import Callable

from langgraph.runtime import RunControl

from ..memory.store import RunStore
from .config import RunConfig


class Limits:
    """Asked between pieces of work. `stop` may be called from a signal handler."""

    def __init__(self, config: RunConfig, store: RunStore) -> None:
        self._config = config
        self._store = store
        self._started = time.monotonic()
        self._asked = ""
        self._controls = set[RunControl]()

    def stop(self, why: str = "interrupted") -> None:
        """Let running steps finish, start no more. What is paid for stays staged."""
        self._asked = self._asked or why
        for control in tuple(self._controls):
            control.request_drain(why)

    def reached(self, rounds: int) -> str:
        """Why the run must end now, or "". `rounds` is how many there have been (0: do not ask)."""
        return self._asked or self._over_time() or self._over_budget() or self._over_rounds(rounds)

    def stopping(self) -> bool:
        """Whether it was asked to stop, or time is up. Cheap: asked before every call of a model."""
        return bool(self._asked or self._over_time())

    def watch(self, control: RunControl) -> Callable[[], None]:
        """Drain `control` when asked to stop; returns what ends the watching."""
        self._controls.add(control)
        if self._asked:
            control.request_drain(self._asked)
        return lambda: self._controls.discard(control)

    def seconds_left(self) -> float | None:
        if self._config.max_time is None:
            return None
        return max(0.0, self._config.max_time - (time.monotonic() - self._started))

    def _over_time(self) -> str:
        left = self.seconds_left()
        return "time is up" if left is not None and left <= 0 else ""

    def _over_budget(self) -> str:
        if self._config.budget_usd is None and self._config.budget_tokens is None:
            return ""
        totals = self._store.progress.totals()
        if self._config.budget_usd is not None and totals.cost_usd >= self._config.budget_usd:
            return "the budget in dollars is spent"
        if self._config.budget_tokens is not None and totals.tokens >= self._config.budget_tokens:
            return "the budget in tokens is spent"
        return ""

    def _over_rounds(self, rounds: int) -> str:
        return "the rounds are used up" if rounds >= self._config.max_rounds else ""
