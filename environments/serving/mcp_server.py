"""One episode as an MCP server.

The SDK's low-level server validates nothing and turns exceptions into protocol errors that a model cannot see, so
both are done here and in the episode: whatever a client sends to `tools/call` is answered with a tool result.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from mcp.server import Server, ServerRequestContext
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, Tool

from ..episode import Episode
from ..models import CallResult
from .tool_results import INTERNAL, tool_result

logger = logging.getLogger(__name__)

EpisodeServer: TypeAlias = Server[dict[str, Any]]
_Context: TypeAlias = ServerRequestContext[dict[str, Any], Any]
Caller: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[CallResult]]
"""Calls a tool by name with arguments."""


def episode_server(episode: Episode, *, caller: Caller | None = None) -> EpisodeServer:
    """An MCP server over `episode`: its tools, nothing else.

    An episode takes one call at a time. `caller` decides when and where each is performed; by default at once, on the
    event loop, which keeps them apart by itself. The server's instructions are the episode's prompt.

    The SDK's OpenTelemetry middleware is taken out: it costs 20–35 µs a call, and the episode's own trace, from
    which spans are exported, already records each call.
    """
    call = caller or _at_once(episode)

    async def list_tools(_context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[Tool.model_validate(tool) for tool in episode.tools])

    async def call_tool(_context: _Context, params: CallToolRequestParams) -> CallToolResult:
        return tool_result(await call(params.name, params.arguments or {}))

    server: EpisodeServer = Server(
        episode.environment.id,
        version=episode.environment.hash[:12],
        title=episode.environment.spec.scenario,
        instructions=episode.prompt(),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        # No tool asks for `Mcp-Param-*` headers. Saying so spares a hidden `tools/list` before every call over HTTP.
        get_tool_input_schema=lambda _name: None,
    )
    server.middleware.clear()
    return server


def perform(episode: Episode, name: str, arguments: Mapping[str, Any]) -> CallResult:
    """Call the tool `name`. Never raises; a failure that no argument explains is logged and answered as internal."""
    try:
        return episode.call(name, **arguments)
    except Exception:
        logger.exception("tool %r failed", name)
        return episode.answered(INTERNAL)


def _at_once(episode: Episode) -> Caller:
    async def call(name: str, arguments: Mapping[str, Any]) -> CallResult:
        return perform(episode, name, arguments)

    return call
