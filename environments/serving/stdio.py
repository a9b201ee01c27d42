"""One episode over the standard streams, for clients that start their servers themselves."""

from __future__ import annotations

from mcp.server.stdio import stdio_server

from ..limits import Limits
from ..models import Actor
from ..package import Environment
from .episode_requests import EpisodeRequest
from .mcp_server import episode_server


async def run_stdio(
    environment: Environment,
    task: str | None = None,
    *,
    actor: Actor | None = None,
    seed: int = 0,
    limits: Limits | None = None,
) -> None:
    """Serve one episode on stdin and stdout until stdin ends; nothing but the protocol is written to stdout.

    There is no control surface: nobody verifies this episode. Both protocol eras are served.
    """
    with EpisodeRequest(task=task, actor=actor, seed=seed).open(environment, limits) as episode:
        server = episode_server(episode)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
