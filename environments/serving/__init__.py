"""Episodes over the Model Context Protocol: in process, over stdio, over HTTP.

Two surfaces that never meet. The *agent* surface holds an episode's tools and nothing else: no resource, no prompt,
no way to a verifier, to gold or to a reset. The *control* surface opens, verifies and closes episodes; it has a port
and a token of its own.

The names below are resolved when they are first used, so importing this package does not import the SDK.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .episode_requests import EpisodeRequest as EpisodeRequest
    from .mcp_server import episode_server as episode_server
    from .serve import serve_http as serve_http
    from .serve import serve_stdio as serve_stdio
    from .service import Endpoints as Endpoints
    from .service import EnvironmentService as EnvironmentService
    from .settings import ServiceSettings as ServiceSettings
    from .stdio import run_stdio as run_stdio

_HOMES = {
    "Endpoints": "service",
    "EnvironmentService": "service",
    "EpisodeRequest": "episode_requests",
    "ServiceSettings": "settings",
    "episode_server": "mcp_server",
    "run_stdio": "stdio",
    "serve_http": "serve",
    "serve_stdio": "serve",
}

__all__ = [
    "Endpoints",
    "EnvironmentService",
    "EpisodeRequest",
    "ServiceSettings",
    "episode_server",
    "run_stdio",
    "serve_http",
    "serve_stdio",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
