"""Both surfaces of one service, and how it starts and stops."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from pydantic import Field
from starlette.types import ASGIApp

from ..errors import InputError
from ..limits import Limits
from ..models import Frozen
from ..package import Environment
from .access import served_names
from .agent_surface import agent_app
from .control_surface import control_app
from .episode_host import EpisodeHost
from .episode_requests import EpisodeRequest
from .listening import address, bound_socket, listening
from .settings import LOOPBACK, ServiceSettings


class Endpoints(Frozen):
    """Where a running service is reached, and with which tokens (`Authorization: Bearer …`)."""

    agent_url: str
    control_url: str
    token: str | None = Field(default=None, repr=False)
    """For the agent surface; None: none is needed."""
    control_token: str = Field(repr=False)

    @property
    def mcp_url(self) -> str:
        """The plain endpoint, for people who just connect a client."""
        return f"{self.agent_url}/mcp"

    def announcement(self) -> str:
        """For the person who started the service: four lines at most, tokens included."""
        lines = [f"MCP            {self.mcp_url}"]
        if self.token is not None:
            lines.append(f"  token        {self.token}")
        return "\n".join([*lines, f"Control        {self.control_url}", f"  token        {self.control_token}"])

    def episode_url(self, id: str) -> str:
        return f"{self.agent_url}/episodes/{id}/mcp"


class EnvironmentService:
    """Serves `environments` over HTTP. `standing` is what the plain `/mcp` path shows (default: a free world of the
    first environment). `limits` hold for every episode."""

    def __init__(
        self,
        environments: Iterable[Environment],
        settings: ServiceSettings | None = None,
        *,
        standing: EpisodeRequest | None = None,
        limits: Limits | None = None,
    ) -> None:
        served = list(environments)
        if not served:
            raise InputError("There is no environment to serve.", remedy="Give at least one.")
        self.settings = settings or ServiceSettings()
        self.host = EpisodeHost(
            served,
            standing=standing or EpisodeRequest(environment=served[0].id),
            limits=limits,
            max_episodes=self.settings.max_episodes,
            idle_seconds=self.settings.idle_seconds,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Endpoints]:
        """Listen on both ports while the body runs. Raises ServiceError if a port cannot be had.

        On the way out no request is taken any more, episodes are closed (which ends event streams that clients hold
        open), and answers under way are delivered.
        """
        settings = self.settings
        async with AsyncExitStack() as stack:
            agents = stack.enter_context(bound_socket(settings.host, settings.port))
            control = stack.enter_context(bound_socket(settings.control_host, settings.resolved_control_port))
            endpoints = Endpoints(
                agent_url=address(settings.host, agents),
                control_url=address(settings.control_host, control),
                token=self._agent_token(),
                control_token=settings.control_token or secrets.token_urlsafe(24),
            )
            apps = self._apps(endpoints)
            await stack.enter_async_context(self.host.running())
            servers = [
                await stack.enter_async_context(listening(app, listener))
                for app, listener in zip(apps, (agents, control), strict=True)
            ]
            try:
                yield endpoints
            finally:
                for server in servers:
                    server.should_exit = True
                await self.host.stop()

    def _agent_token(self) -> str | None:
        if self.settings.token is None and self.settings.host not in LOOPBACK:
            return secrets.token_urlsafe(24)
        return self.settings.token

    def _apps(self, endpoints: Endpoints) -> tuple[ASGIApp, ASGIApp]:
        settings = self.settings
        agents = agent_app(
            self.host, hosts=served_names(settings.host, settings.allowed_hosts), token=endpoints.token
        )
        control = control_app(
            self.host,
            mcp_url=lambda hosted: endpoints.episode_url(hosted.id),
            hosts=served_names(settings.control_host, settings.allowed_hosts),
            token=endpoints.control_token,
        )
        return agents, control
