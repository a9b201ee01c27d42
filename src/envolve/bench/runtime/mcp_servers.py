"""The servers that the MCP bench compares: a world, and the SDK's bare echo with an answer of the same size."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, Final, Literal, TypeAlias

import mcp_types as types
from mcp.server import Server, ServerRequestContext

from envolve.environments.limits import Limits
from envolve.environments.serving import EnvironmentService, ServiceSettings, serve_stdio
from envolve.environments.serving.listening import address, bound_socket, listening

from .synthetic import synthetic_environment

UNLIMITED: Final = Limits(calls=10**9)
ECHO: Final = "echo"

_Context: TypeAlias = ServerRequestContext[dict[str, Any]]


def echo_server(answer: dict[str, Any]) -> Server[dict[str, Any]]:
    """The SDK's low-level server as it comes, answering each call with `answer`."""
    tool = types.Tool(name=ECHO, input_schema={"type": "object", "properties": {"person_id": {"type": "integer"}}})

    async def list_tools(_context: _Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(_context: _Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
        text = types.TextContent(type="text", text=json.dumps(answer))
        return types.CallToolResult(content=[text], structured_content=answer)

    return Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)


@contextmanager
def started(which: Literal["echo", "world"], answer: dict[str, Any]) -> Iterator[str]:
    """One of the servers over HTTP, in a process of its own; yields its MCP URL. `answer` is the echo's."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(which, answer, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join()


def _serve(which: str, answer: dict[str, Any], pipe: Connection) -> None:
    asyncio.run(_serve_echo(answer, pipe) if which == "echo" else _serve_world(pipe))


async def _serve_echo(answer: dict[str, Any], pipe: Connection) -> None:
    server = echo_server(answer)
    app = server.streamable_http_app(json_response=True)
    listener = bound_socket("127.0.0.1", 0)
    async with server.session_manager.run(), listening(app, listener):
        await _until_closed(pipe, f"{address('127.0.0.1', listener)}/mcp")


async def _serve_world(pipe: Connection) -> None:
    service = EnvironmentService([synthetic_environment()], ServiceSettings(port=0), limits=UNLIMITED)
    async with service.running() as ends:
        await _until_closed(pipe, ends.mcp_url)


async def _until_closed(pipe: Connection, url: str) -> None:
    pipe.send(url)
    await asyncio.to_thread(pipe.poll, None)


if __name__ == "__main__" and sys.argv[1:] == ["stdio"]:
    serve_stdio(synthetic_environment())
