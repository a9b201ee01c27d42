"""Calls again while what went wrong may pass: exponential backoff with jitter, never sooner than the provider asks."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_before_delay

from .base import ChatReply, ModelSettings
from .failures import Trouble

_LONGEST_WAIT = 60.0
_UNKNOWN_TRIES = 4
_LOOK_EVERY = 0.25

Outcome = ChatReply | Trouble


async def until_it_passes(
    attempt: Callable[[], Awaitable[Outcome]], settings: ModelSettings, stopping: Callable[[], bool]
) -> Outcome:
    """The reply, or the trouble that will not pass or did not within the settings' patience.

    A wait that would outlast the patience is not begun, and one during which `stopping` becomes true ends: then it is
    the attempt's turn to say that it makes none.
    """
    out_of_patience = stop_before_delay(settings.patience)
    retrying = AsyncRetrying(
        retry=retry_if_result(lambda outcome: isinstance(outcome, Trouble) and outcome.passing),
        wait=lambda state: _wait(state, settings.backoff),
        stop=lambda state: out_of_patience(state) or _is_unknown(state),
        retry_error_callback=_outcome,
        sleep=lambda seconds: _sleep(seconds, stopping),
    )
    return await retrying(attempt)


async def _sleep(seconds: float, stopping: Callable[[], bool]) -> None:
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0 and not stopping():
        await asyncio.sleep(min(left, _LOOK_EVERY))


def _wait(state: RetryCallState, backoff: float) -> float:
    """Seconds."""
    outcome = _outcome(state)
    asked = outcome.retry_after if isinstance(outcome, Trouble) else None
    own = min(_LONGEST_WAIT, backoff * 2.0 ** min(state.attempt_number - 1, 16))
    jittered = own * random.uniform(0.5, 1.0)
    return jittered if asked is None else max(jittered, asked + random.uniform(0, backoff / 4))


def _is_unknown(state: RetryCallState) -> bool:
    outcome = _outcome(state)
    return isinstance(outcome, Trouble) and not outcome.is_known and state.attempt_number >= _UNKNOWN_TRIES


def _outcome(state: RetryCallState) -> Outcome:
    assert state.outcome is not None
    outcome: Outcome = state.outcome.result()
    return outcome
