"""Who may speak to a surface: the `Host` and `Origin` of a request, then its bearer token."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterable
from typing import Final

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .settings import LOOPBACK

SCHEMES: Final = ("http", "https")
"""Of origins: a proxy in front may speak TLS."""

Refuse = Callable[[str, int], Response]
"""Makes the answer to a refused request, from its message and HTTP status."""


class AccessMiddleware:
    """ASGI middleware. Refuses foreign hosts (421) and origins (403), and requests without `token` (401)."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], token: str | None, refuse: Refuse) -> None:
        self._app = app
        self._security = TransportSecurityMiddleware(_security(hosts))
        self._expected = None if token is None else f"Bearer {token}".encode()
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refused = await self._security.validate_request(request) or self._unauthorized(request)
        await (refused or self._app)(scope, receive, send)

    def _unauthorized(self, request: Request) -> Response | None:
        if self._expected is None:
            return None
        given = request.headers.get("authorization", "").encode()
        if secrets.compare_digest(given, self._expected):
            return None
        refusal = self._refuse("Missing or wrong bearer token.", 401)
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal


def served_names(host: str, extra: Iterable[str] = ()) -> tuple[str, ...]:
    """The names a service bound to `host` answers to. A wildcard address answers to this machine's name too."""
    if host in LOOPBACK:
        return (*LOOPBACK, *extra)
    own = (socket.gethostname(),) if host in ("", "0.0.0.0", "::") else (host,)
    return (*LOOPBACK, *own, *extra)


def _security(hosts: Iterable[str]) -> TransportSecuritySettings:
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    return TransportSecuritySettings(
        allowed_hosts=[pattern for name in names for pattern in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}{port}" for scheme in SCHEMES for name in names for port in ("", ":*")],
    )
