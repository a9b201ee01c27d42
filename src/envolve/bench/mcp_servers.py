"""The servers that the MCP bench compares: a small world, and the SDK's bare echo with an answer of the same size."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Literal

from ..environments.models import EnvironmentSpec, ToolsFile

if TYPE_CHECKING:
    from mcp.server import Server

    from ..environments.package import Environment

READ = "get_account"
WRITE = "move_money"
ARGUMENTS: dict[str, Any] = {"account_id": 1017, "amount": 1}

SCHEMA = """
CREATE TABLE owners (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY NOT NULL, owner_id INTEGER NOT NULL REFERENCES owners (id),
  status TEXT NOT NULL CHECK (status IN ('open', 'frozen')), cents INTEGER NOT NULL CHECK (cents >= 0)
) STRICT;
"""

SEED = """
INSERT INTO owners (id, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
SELECT i, 'Owner ' || i FROM n;
INSERT INTO accounts (id, owner_id, status, cents)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1800)
SELECT 1000 + i, 1 + i % 200, 'open', 100000000 FROM n;
"""

_ACCOUNT = "SELECT a.id, o.name AS owner, a.status, a.cents FROM accounts a JOIN owners o ON o.id = a.owner_id "

TOOLS: dict[str, Any] = {
    "tools": [
        {
            "name": READ,
            "description": "One account.",
            "kind": "read",
            "params": {
                "account_id": {"type": "integer", "ref": "accounts.id"},
                "amount": {"type": "integer", "minimum": 0},
            },
            "required": ["account_id"],
            "returns": {"one": f"{_ACCOUNT} WHERE a.id = :account_id"},
        },
        {
            "name": WRITE,
            "description": "Take money out of an account.",
            "kind": "write",
            "params": {
                "account_id": {"type": "integer", "ref": "accounts.id"},
                "amount": {"type": "integer", "minimum": 1},
            },
            "required": ["account_id", "amount"],
            "steps": [
                {"let": {"account": {"row": "SELECT status, cents FROM accounts WHERE id = :account_id"}}},
                {
                    "require": "SELECT :account_status = 'open'",
                    "error": {"code": "conflict", "message": "The account is {account_status}."},
                },
                {
                    "require": "SELECT :account_cents >= :amount",
                    "error": {"code": "conflict", "message": "Only {account_cents} are left."},
                },
                {"do": "UPDATE accounts SET cents = cents - :amount WHERE id = :account_id", "rows": 1},
            ],
            "returns": {"one": f"{_ACCOUNT} WHERE a.id = :account_id"},
            "contract": {"accounts": {"update": ["cents"]}},
        },
    ]
}

ECHO = {"id": 1017, "owner": "Owner 18", "status": "open", "cents": 100000000}


def bench_world() -> Environment:
    """2,000 rows, one read tool and one write tool with two guards."""
    from ..environments.package import Environment

    spec = {
        "id": "bench",
        "scenario": "Bench",
        "roles": {"owner": {"table": "owners"}},
        "clock": "2026-01-01 00:00:00",
    }
    return Environment.build(
        spec=EnvironmentSpec.model_validate(spec),
        schema_sql=SCHEMA,
        seed_sql=SEED,
        tools=ToolsFile.model_validate(TOOLS),
    )


def echo_server() -> Server[dict[str, Any]]:
    """The SDK's low-level server as it comes, answering each call with a constant."""
    import json

    import mcp_types as types
    from mcp.server import Server, ServerRequestContext

    schema = {"type": "object", "properties": {"account_id": {"type": "integer"}, "amount": {"type": "integer"}}}

    async def list_tools(
        _context: ServerRequestContext[dict[str, Any]], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name=READ, description="Echo.", input_schema=schema)])

    async def call_tool(
        _context: ServerRequestContext[dict[str, Any]], _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=json.dumps(ECHO))], structured_content=ECHO
        )

    return Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)


@contextmanager
def started(which: Literal["echo", "world"]) -> Iterator[str]:
    """One of the servers over HTTP, in a process of its own; yields its MCP URL."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(which, theirs), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("stop")
        process.join()
        ours.close()
        theirs.close()


def _serve(which: str, pipe: Connection) -> None:
    asyncio.run(_serve_echo(pipe) if which == "echo" else _serve_world(pipe))


async def _serve_echo(pipe: Connection) -> None:
    from ..environments.serving.listening import address, bound_socket, listening

    server = echo_server()
    app = server.streamable_http_app(json_response=True)
    listener = bound_socket("127.0.0.1", 0)
    async with server.session_manager.run(), listening(app, listener):
        pipe.send(f"{address('127.0.0.1', listener)}/mcp")
        await asyncio.to_thread(pipe.recv)


async def _serve_world(pipe: Connection) -> None:
    from ..environments.limits import Limits
    from ..environments.serving import EnvironmentService, ServiceSettings

    service = EnvironmentService([bench_world()], ServiceSettings(port=0), limits=Limits(calls=10**9))
    async with service.running() as ends:
        pipe.send(ends.mcp_url)
        await asyncio.to_thread(pipe.recv)


def _serve_on_stdio() -> None:
    from ..environments.serving import serve_stdio

    serve_stdio(bench_world())


if __name__ == "__main__":
    if sys.argv[1:] == ["stdio"]:
        _serve_on_stdio()
