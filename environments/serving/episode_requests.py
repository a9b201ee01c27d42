"""What a client may ask to open."""

from __future__ import annotations

from typing import Final

from ..episode import Episode
from ..limits import Limits
from ..models import Actor, Frozen
from ..package import Environment

FREE_CALLS: Final = 100_000
"""Calls in a world without a task, unless limits are given: nothing is measured there, only memory bounded."""


class EpisodeRequest(Frozen):
    """`environment` may be left out when only one is served; without `task` it is a free world."""

    environment: str | None = None
    task: str | None = None
    actor: Actor | None = None
    seed: int = 0

    def open(self, environment: Environment, limits: Limits | None) -> Episode:
        """Raises InputError for an unknown task and for an actor who cannot act."""
        if limits is None and self.task is None:
            limits = Limits(calls=FREE_CALLS)
        return environment.play(self.task, actor=self.actor, limits=limits, seed=self.seed)
