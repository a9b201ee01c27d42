"""The stages of one world: what each took, and the error in which it ended, which must not end all other worlds."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import TypeVar

from .results import CRASH, Flaw

T = TypeVar("T")


class Stages:
    """`seconds`: of processor time of this process, by stage. `crashes`: in the order in which they came."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.crashes: list[Flaw] = []

    def run(self, stage: str, work: Callable[[], T]) -> T | None:
        """What `work` gives; None where it raises, which is a crash of the stage. An interrupt is none."""
        started = time.process_time()
        try:
            return work()
        except Exception as error:
            self.crashes.append(Flaw(stage, f"{type(error).__name__}: {error}", CRASH, traceback.format_exc()))
            return None
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.process_time() - started
