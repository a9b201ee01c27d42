"""How a run is asked to stop: signals and time. The first signal drains, the next one ends the run at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType
from typing import NoReturn

from .limits import Limits

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """A context for the main thread, within a running loop: what stood before is put back at the end.

    `drain` lets running steps finish; `kill` ends the workers in the middle of whatever they do, and then
    KeyboardInterrupt is raised wherever the process is. A third signal ends the process by itself.
    """

    def __init__(self, drain: Callable[[str], None], kill: Callable[[], None]) -> None:
        self._drain = drain
        self._kill = kill
        self._asked = False
        self._restore = ExitStack()

    def __enter__(self) -> Signals:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            self._restore.callback(signal.signal, number, signal.getsignal(number))
            loop.add_signal_handler(number, self._received)
            self._restore.callback(loop.remove_signal_handler, number)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore.close()

    def _received(self) -> None:
        if self._asked:
            self._end()
        self._asked = True
        self._drain("interrupted")
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            # Not the loop's handler: it would wait for whatever keeps the loop busy.
            loop.remove_signal_handler(number)
            signal.signal(number, self._at_once)

    def _at_once(self, _number: int, _frame: FrameType | None) -> None:
        self._end()

    def _end(self) -> NoReturn:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        self._kill()
        raise KeyboardInterrupt


def stop_in_time(limits: Limits) -> Callable[[], None]:
    """Stop when the sitting's time is up; returns what calls that off."""
    left = limits.seconds_left()
    if left is None:
        return lambda: None
    return asyncio.get_running_loop().call_later(left, limits.stop, "time is up").cancel
