"""Which measurements make up a bench."""

from __future__ import annotations

import asyncio

from .figures import Figure
from .mcp import figures
from .runtime import rows


def runtime_figures() -> list[Figure]:
    """Worlds in process, then over MCP."""
    return [*rows(), *asyncio.run(figures())]
