"""Episodes on the agent surface, with the official client, on a real port."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, MCPError

from envolve.environments.gold import run_gold
from envolve.environments.package import Environment
from envolve.environments.serving import EnvironmentService, EpisodeRequest, ServiceSettings

from .conftest import TASK_ID, Running, Serve

pytestmark = pytest.mark.anyio

ERAS = ("2026-07-28", "legacy")


@pytest.mark.parametrize("era", [*ERAS, "auto"])
async def test_open_act_verify_close(running: Running, era: str) -> None:
    id, url = await running.open()
    async with Client(url, mode=era) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert tools == ["find_items", "count_items", "take_item", "grind", "submit"]
        await client.call_tool("take_item", {"item_id": 11, "amount": 2})
        refused = await client.call_tool("take_item", {"item_id": 11, "amount": 200})
        assert refused.is_error
        assert refused.structured_content == {"error": {"code": "conflict", "message": "Too few are left."}}
        assert (await client.call_tool("take", {})).is_error
        assert not (await client.call_tool("submit", {"status": "done"})).is_error
        assert (await running.verify(id))["outcome"] == "completed"
        assert (await client.call_tool("count_items", {})).is_error
    assert (await running.control.delete(f"/episodes/{id}")).status_code == 204


@pytest.mark.parametrize("era", ERAS)
async def test_many_episodes_interleaved_stay_apart(running: Running, era: str) -> None:
    """Episode n takes n % 4 lamps, one call at a time; exactly those with two pass."""
    opened = [await running.open() for _ in range(40)]

    async def act(number: int, url: str) -> None:
        async with Client(url, mode=era) as client:
            for _ in range(number % 4):
                result = await client.call_tool("take_item", {"item_id": 11, "amount": 1})
                assert not result.is_error
            left = (await client.call_tool("find_items", {"word": "blue"})).structured_content
            assert left == {"items": [{"id": 11, "name": "blue lamp", "count": 9 - number % 4}]}
            await client.call_tool("submit", {"status": "done"})

    async with anyio.create_task_group() as group:
        for number, (_, url) in enumerate(opened):
            group.start_soon(act, number, url)
    outcomes = [(await running.verify(id))["outcome"] for id, _ in opened]
    assert outcomes == ["completed" if number % 4 == 2 else "incomplete" for number in range(40)]


async def test_two_clients_of_one_episode_take_turns(running: Running) -> None:
    id, url = await running.open()
    async with Client(url, mode="legacy") as old, Client(url, mode="2026-07-28") as new:
        async with anyio.create_task_group() as group:
            for client in (old, new) * 4:
                group.start_soon(client.call_tool, "take_item", {"item_id": 11, "amount": 1})
        left = await new.call_tool("find_items", {"word": "blue"})
    assert left.structured_content == {"items": [{"id": 11, "name": "blue lamp", "count": 1}]}
    trace = (await running.control.get(f"/episodes/{id}/trace")).json()
    assert [event["tool"] for event in trace["events"] if event["kind"] == "call"] == ["take_item"] * 8 + [
        "find_items"
    ]


async def test_a_session_opens_no_other_episode(running: Running) -> None:
    (_, mine), (_, theirs) = await running.open(), await running.open()
    async with raw(mine) as post:
        hello = await post(mine, "initialize", LEGACY_HELLO)
        session = {"mcp-session-id": hello.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        own = await post(mine, "tools/call", {"name": "count_items", "arguments": {}}, headers=session)
        other = await post(theirs, "tools/call", {"name": "count_items", "arguments": {}}, headers=session)
    assert own.status_code == 200
    assert other.status_code == 404
    assert "Session not found" in other.text


@pytest.mark.parametrize("era", ERAS)
async def test_the_plain_path_is_one_standing_world(serve: Serve, era: str) -> None:
    async with serve() as running:
        async with Client(running.ends.mcp_url, mode=era) as client:
            assert "submit" not in [tool.name for tool in (await client.list_tools()).tools]
            await client.call_tool("take_item", {"item_id": 23, "amount": 4})
        async with Client(running.ends.mcp_url, mode=era) as client:
            assert await left_of(client, "red") == 0
        (standing,) = (await running.control.get("/episodes")).json()["episodes"]
        assert standing["standing"]
        assert "expires_in_seconds" not in standing
        await running.control.delete(f"/episodes/{standing['id']}")
        async with Client(running.ends.mcp_url, mode=era) as client:
            assert await left_of(client, "red") == 4


async def test_the_plain_path_can_show_a_task(serve: Serve, world: Environment) -> None:
    standing = EpisodeRequest(environment=world.id, task=TASK_ID)
    async with serve(EnvironmentService([world], ServiceSettings(port=0), standing=standing)) as running:
        (shown,) = (await running.control.get("/episodes")).json()["episodes"]
        async with Client(running.ends.mcp_url) as client:
            assert client.instructions is not None
            assert "Take two blue lamps." in client.instructions
            await client.call_tool("take_item", {"item_id": 11, "amount": 2})
            await client.call_tool("submit", {"status": "done"})
            assert (await running.verify(shown["id"]))["outcome"] == "completed"
            assert (await client.call_tool("count_items", {})).is_error
        await running.control.delete(f"/episodes/{shown['id']}")
        async with Client(running.ends.mcp_url) as client:
            assert await left_of(client, "blue") == 9


@pytest.mark.parametrize("era", ERAS)
async def test_gold_of_the_sample_passes_over_http(serve: Serve, table_booking: Environment, era: str) -> None:
    async with serve(EnvironmentService([table_booking], ServiceSettings(port=0))) as running:
        for task in table_booking.tasks.values():
            gold = run_gold(table_booking, task)
            assert gold.submission is not None
            id, url = await running.open(task=task.id)
            async with Client(url, mode=era) as client:
                for step in gold.steps:
                    answered = await client.call_tool(step.call, step.args)
                    assert answered.structured_content == step.result.payload()
                await client.call_tool("submit", gold.submission.model_dump(exclude_none=True))
            assert (await running.verify(id))["outcome"] == "completed"


@pytest.mark.parametrize("era", ERAS)
async def test_a_closed_episode_tells_its_client(running: Running, era: str) -> None:
    id, url = await running.open()
    async with Client(url, mode=era) as client:
        await client.call_tool("count_items", {})
        await running.control.delete(f"/episodes/{id}")
        with pytest.raises(MCPError, match="This episode is over"):
            await client.call_tool("count_items", {})


@pytest.mark.parametrize("era", ERAS)
async def test_arguments_beyond_the_body_limit_are_refused(running: Running, era: str) -> None:
    _, url = await running.open()
    async with Client(url, mode=era) as client:
        with pytest.raises(MCPError):
            await client.call_tool("find_items", {"word": "x" * 5_000_000})
        assert (await client.call_tool("find_items", {"word": "x" * 3_000_000})).is_error
        assert await left_of(client, "blue") == 9


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"jsonrpc":"2.0"}', b"[" * 100_000, b"\xff\xfe", b"1" * 5000])
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "1999-01-01", None])
async def test_bodies_that_are_no_requests_do_no_harm(running: Running, body: bytes, version: str | None) -> None:
    async with httpx.AsyncClient(trust_env=False) as agent:
        _, url = await running.open()
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if version is not None:
            headers["mcp-protocol-version"] = version
        assert 400 <= (await agent.post(url, content=body, headers=headers)).status_code < 500
        async with Client(url) as client:
            assert await left_of(client, "blue") == 9


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_request_leaves_the_world_whole(running: Running, era: str) -> None:
    id, url = await running.open()
    async with Client(url, mode=era) as client:
        for patience in (0, 0.0005, 0.001, 0.002, 0.004, 0.008):
            with anyio.move_on_after(patience):
                await client.call_tool("take_item", {"item_id": 11, "amount": 1})
        left = await left_of(client, "blue")
    trace = (await running.control.get(f"/episodes/{id}/trace")).json()
    taken = [event for event in trace["events"] if event["tool"] == "take_item"]
    assert left == 9 - len(taken)
    assert all(event["result"]["ok"] for event in taken)


async def left_of(client: Client, word: str) -> int:
    found = (await client.call_tool("find_items", {"word": word})).structured_content
    assert found is not None
    count: int = found["items"][0]["count"]
    return count


LEGACY_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


@asynccontextmanager
async def raw(url: str) -> AsyncIterator[Any]:
    """Posts JSON-RPC requests by hand."""
    async with httpx.AsyncClient(trust_env=False) as agent:

        async def post(
            url: str, method: str, params: dict[str, Any], headers: dict[str, str] | None = None
        ) -> httpx.Response:
            accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return await agent.post(url, content=json.dumps(body), headers={**accept, **(headers or {})})

        yield post
