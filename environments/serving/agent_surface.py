"""The HTTP app that agents reach: MCP endpoints and a health check, nothing more."""

from __future__ import annotations

from collections.abc import Iterable

from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, RequestBodyLimitMiddleware
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import EnvolveError
from .access import AccessMiddleware
from .episode_host import EpisodeHost
from .responses import rpc_error


def agent_app(host: EpisodeHost, *, hosts: Iterable[str], token: str | None) -> ASGIApp:
    """`/episodes/<id>/mcp`, `/mcp`, `/health`, behind the access checks.

    Bodies are read in full before an episode is looked up, so that none is closed between the two.
    """
    routes = [
        Route("/episodes/{id}/mcp", _EpisodeEndpoint(host)),
        Route("/mcp", _StandingEndpoint(host)),
        Route("/health", _health, methods=["GET"]),
    ]
    app = RequestBodyLimitMiddleware(Starlette(routes=routes), DEFAULT_MAX_REQUEST_BODY_SIZE)
    return AccessMiddleware(app, hosts=hosts, token=token, refuse=rpc_error)


class _EpisodeEndpoint:
    def __init__(self, host: EpisodeHost) -> None:
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosted = self._host.find(scope["path_params"]["id"])
        await (hosted or rpc_error("This episode is over, or never was.", 404))(scope, receive, send)


class _StandingEndpoint:
    def __init__(self, host: EpisodeHost) -> None:
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint: ASGIApp
        try:
            endpoint = await self._host.standing()
        except EnvolveError as error:
            endpoint = rpc_error(str(error), 503)
        await endpoint(scope, receive, send)


async def _health(_request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})
