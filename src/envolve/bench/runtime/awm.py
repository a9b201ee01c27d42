"""What is known of AWM's runtime, quoted: its packages are needed to measure it, and they are not installed here.

The figures were taken once, on another machine. They are never compared with a goal, and no ratio is made of them.
"""

from __future__ import annotations

from typing import NamedTuple

SOURCE = (
    "notes on Agent World Model's runtime (Snowflake-Labs/agent-world-model at 91a9578) on two cores, with one"
    " environment of 18 tables and 36 tools"
)


class Quoted(NamedTuple):
    """A figure of AWM's as it was noted. `beside` is the figure of the runtime bench that is nearest to it; empty
    where there is none. `differs` says in what the two are not the same."""

    name: str
    value: float
    unit: str
    beside: str
    differs: str = ""


QUOTED = (
    Quoted(
        "from start to the first tool call",
        6.8,
        "s",
        "MCP over stdio: from process start to first answer",
        "HTTP there",
    ),
    Quoted("read call over its MCP endpoint", 4.5, "ms", "MCP over HTTP, 2026-07-28: read one row"),
    Quoted("write call over its MCP endpoint", 6.3, "ms", "", "only a ratio is measured here"),
    Quoted(
        "resident memory of an instance",
        301.0,
        "MB",
        "memory of an open episode",
        "a process an instance there, episodes of one process here",
    ),
)
