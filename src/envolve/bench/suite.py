"""Which measurements make up a bench."""

from __future__ import annotations

import asyncio
from typing import Any

from .figures import Figure
from .mcp import measure_mcp
from .runtime import rows


def runtime_figures() -> list[Figure]:
    """Worlds in process, then over MCP."""
    return [*rows(), *(_figure(row) for row in asyncio.run(measure_mcp()))]


def _figure(row: Any) -> Figure:
    return row if isinstance(row, Figure) else Figure(**row)
