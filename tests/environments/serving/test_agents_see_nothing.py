"""Every byte that an agent can get out of a service, searched for what it must not hold."""

import json
from typing import Any

import httpx
import pytest

from envolve.environments.package import Environment

from .conftest import MARKS, Running

pytestmark = pytest.mark.anyio

ODD_PATHS = (
    "/", "/health", "/mcp", "/episodes", "/episodes/", "/tasks", "/verify", "/gold", "/docs", "/openapi.json",
    "/episodes/{id}", "/episodes/{id}/", "/episodes/{id}/verify", "/episodes/{id}/trace", "/episodes/{id}/mcp",
    "/episodes/{id}/mcp/verify", "/episodes/{id}/mcp/../verify", "/episodes/{other}/mcp", "/episodes/%2e%2e/mcp",
)  # fmt: skip

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}

METHODS = (
    "server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/list", "prompts/get",
    "completion/complete", "ping", "initialize", "verify", "episodes/verify", "logging/setLevel",
)  # fmt: skip

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("find_items", {"word": "blue"}),
    ("take_item", {"item_id": 11, "amount": 100}),
    ("take_item", {"item_id": "x"}),
    ("grind", {"up_to": 10**12}),
    ("verify", {}),
    ("gold", {}),
    ("reset", {}),
    ("submit", {"status": "refused", "reason": "'"}),
    ("submit", {"status": "done"}),
    ("count_items", {}),
)


async def everything_visible(agent: httpx.AsyncClient, id: str, other: str) -> bytes:
    seen = list[bytes]()

    async def note(method: str, path: str, **request: Any) -> None:
        answer = await agent.request(method, path, **request)
        seen.append(repr(sorted(answer.headers.items())).encode() + answer.content)

    for path in (template.format(id=id, other=other) for template in ODD_PATHS):
        for method in ("GET", "POST", "DELETE", "PUT", "OPTIONS"):
            await note(method, path)
    for name, arguments in (*((method, None) for method in METHODS), *CALLS):
        await note("POST", f"/episodes/{id}/mcp", **_request(name, arguments))
    return b"\n".join(seen)


def _request(name: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    method = name if arguments is None else "tools/call"
    params: dict[str, Any] = {"_meta": MODERN, "name": name, "uri": "gold://x"}
    headers = {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": params["uri"] if method == "resources/read" else name,
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "arguments": arguments or {}}}
    return {"headers": headers, "content": json.dumps(body)}


async def test_no_byte_tells_of_goal_gold_or_verifier(running: Running) -> None:
    async with httpx.AsyncClient(base_url=running.ends.agent_url, trust_env=False) as agent:
        id, _ = await running.open()
        other, _ = await running.open()
        before = await everything_visible(agent, id, "0" * 32)
        await running.verify(id)
        after = await everything_visible(agent, id, "0" * 32)
        assert other.encode() not in before + after
    seen = (before + after).decode()
    assert "blue lamp" in seen
    assert "Take two blue lamps." in seen
    for mark in MARKS:
        assert mark not in seen
    assert running.ends.control_token not in seen


async def test_the_surface_holds_no_control_route(running: Running) -> None:
    async with httpx.AsyncClient(base_url=running.ends.agent_url, trust_env=False) as agent:
        id, _ = await running.open()
        token = {"Authorization": f"Bearer {running.ends.control_token}"}
        for method, path in (
            ("POST", "/episodes"), ("GET", "/episodes"), ("GET", "/tasks"), ("GET", f"/episodes/{id}/trace"),
            ("POST", f"/episodes/{id}/verify"), ("DELETE", f"/episodes/{id}"),
        ):  # fmt: skip
            assert (await agent.request(method, path, headers=token)).status_code == 404
        assert (await running.summaries())[id]["state"] == "open"


async def test_tool_names_give_nothing_away(world: Environment) -> None:
    with world.open("hidden-task-name") as episode:
        shown = json.dumps(episode.tools) + episode.prompt()
    assert not {"verify", "gold", "reset"} & {tool["name"] for tool in episode.tools}
    assert not [mark for mark in MARKS if mark in shown]
