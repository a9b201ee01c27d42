"""Which measurements make up a bench."""

from __future__ import annotations

import asyncio

from ..figures import Figure
from .mcp import figures
from .worlds import rows


def runtime_figures(*, calls: int = 4_000, episodes: int = 10_000, starts: int = 5) -> list[Figure]:
    """Worlds in process, then over MCP: `calls` to each tool, `episodes` open at once, `starts` of a server."""
    return [*rows(calls=calls, episodes=episodes), *asyncio.run(figures(calls=calls, starts=starts))]
