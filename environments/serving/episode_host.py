"""All episodes of a service: opening, finding, closing them, and the world for people who just connect a client."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup, TaskStatus

from ..episode import Episode
from ..errors import InputError, ServiceError
from ..limits import Limits
from ..package import Environment
from .episode_requests import EpisodeRequest
from .hosted_episode import HostedEpisode
from .pace import Pace


class EpisodeHost:
    """Holds open episodes between `running()`'s start and end.

    `standing` is what the plain `/mcp` path shows: open from the start, never expiring, and opened afresh when asked
    for after it was closed. It does not count against `max_episodes`.
    """

    def __init__(
        self,
        environments: Iterable[Environment],
        *,
        standing: EpisodeRequest,
        limits: Limits | None,
        max_episodes: int,
        idle_seconds: float,
    ) -> None:
        self.environments: Mapping[str, Environment] = {each.id: each for each in environments}
        self._standing_request = standing
        self._limits = limits
        self._max_episodes = max_episodes
        self._idle_seconds = idle_seconds
        self._episodes: dict[str, HostedEpisode] = {}
        self._standing_id: str | None = None
        self._opening = anyio.Lock()
        self._pace = Pace(anyio.CapacityLimiter(max(2, os.cpu_count() or 1)))
        self._group: TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold episodes; the standing one is open from the start. Raises InputError if it cannot be opened.

        What the body raises comes out as it is, not in an exception group.
        """
        raised: Exception | None = None
        async with anyio.create_task_group() as group:
            self._group = group
            try:
                await self.standing()
                yield
            except Exception as error:
                raised = error
            finally:
                await self.stop()
        if raised is not None:
            raise raised

    def __len__(self) -> int:
        """Episodes that count against the limit."""
        return len(self._episodes) - (self._standing_id in self._episodes)

    def find(self, id: str) -> HostedEpisode | None:
        return self._episodes.get(id)

    def summaries(self) -> list[dict[str, Any]]:
        """In the order of opening."""
        return [{**each.summary(), "standing": each.id == self._standing_id} for each in self._episodes.values()]

    async def open(self, request: EpisodeRequest) -> HostedEpisode:
        """A new episode. Raises InputError for what cannot be opened, ServiceError when full."""
        async with self._opening:
            if len(self) >= self._max_episodes:
                raise ServiceError(
                    f"{self._max_episodes} episodes are open already, which is the limit.",
                    remedy="Close some, or serve with a higher limit.",
                )
            return await self._host(request, self._idle_seconds)

    async def standing(self) -> HostedEpisode:
        """The episode behind the plain path."""
        if (hosted := self.find(self._standing_id or "")) is not None:
            return hosted
        async with self._opening:
            if (hosted := self.find(self._standing_id or "")) is None:
                hosted = await self._host(self._standing_request, math.inf)
                self._standing_id = hosted.id
            return hosted

    async def stop(self) -> None:
        """Open nothing any more, and close what is open."""
        self._group = None
        with anyio.CancelScope(shield=True):
            async with self._opening, anyio.create_task_group() as closing:
                for hosted in list(self._episodes.values()):
                    closing.start_soon(hosted.close)

    async def _host(self, request: EpisodeRequest, idle_seconds: float) -> HostedEpisode:
        if self._group is None:
            raise ServiceError("The service is shutting down.", remedy="Ask again when it runs.")
        group = self._group
        episode = await anyio.to_thread.run_sync(self._open_episode, request)
        # Ids are drawn from the system, since knowing one is what lets an agent at the episode's path.
        hosted = HostedEpisode(secrets.token_hex(16), episode, idle_seconds=idle_seconds, pace=self._pace)
        await group.start(self._keep, hosted)
        return hosted

    def _open_episode(self, request: EpisodeRequest) -> Episode:
        return request.open(self._environment(request.environment), self._limits)

    def _environment(self, id: str | None) -> Environment:
        if id is None and len(self.environments) == 1:
            return next(iter(self.environments.values()))
        if id is None:
            raise InputError("Which environment?", remedy=f"Served are: {_names(self.environments)}.")
        if id not in self.environments:
            raise InputError(f"No environment {id!r} is served.", remedy=f"Served are: {_names(self.environments)}.")
        return self.environments[id]

    async def _keep(self, hosted: HostedEpisode, *, task_status: TaskStatus[None]) -> None:
        def gone() -> None:
            del self._episodes[hosted.id]

        self._episodes[hosted.id] = hosted
        await hosted.keep(gone, task_status=task_status)


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
