"""Where a tool's calls run, so that many episodes share one event loop without holding each other up."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import anyio

T = TypeVar("T")

QUICK_SECONDS: Final = 0.005
"""Processor time within which a call may run on the event loop."""


class Pace:
    """Runs calls on the event loop or in a worker thread, by how the tool has behaved so far.

    A thread costs as much as a typical call, so a tool that has shown to be quick runs on the loop. One that was slow
    a single time (it may be bounded by nothing but the step budget) never does again. What is decided is where
    a call runs; its result is the same.
    """

    def __init__(self, limiter: anyio.CapacityLimiter) -> None:
        self._limiter = limiter
        self._quick: dict[str, bool] = {}

    async def run(self, tool: str, call: Callable[[], T]) -> T:
        """`call()`, timed for `tool`, a name out of a bounded set."""
        if self._quick.get(tool, False):
            return self._timed(tool, call)
        return await anyio.to_thread.run_sync(self._timed, tool, call, limiter=self._limiter)

    def _timed(self, tool: str, call: Callable[[], T]) -> T:
        started = time.thread_time()
        try:
            return call()
        finally:
            if time.thread_time() - started > QUICK_SECONDS:
                self._quick[tool] = False
            else:
                self._quick.setdefault(tool, True)
