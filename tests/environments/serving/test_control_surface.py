"""Opening, verifying, reading and closing episodes."""

from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, MCPError

from envolve.environments.errors import InputError
from envolve.environments.package import Environment
from envolve.environments.serving import EnvironmentService, ServiceSettings

from .conftest import TASK_ID, Running, Serve

pytestmark = pytest.mark.anyio

ROUTES = (
    ("GET", "/episodes"), ("POST", "/episodes"), ("GET", "/tasks"), ("GET", "/health"), ("DELETE", "/episodes/x"),
    ("GET", "/episodes/x/trace"), ("POST", "/episodes/x/verify"), ("GET", "/no-such-route"),
)  # fmt: skip


async def test_opening_tells_all_an_orchestrator_needs(running: Running, world: Environment) -> None:
    opened = (await running.control.post("/episodes", json={"task": TASK_ID, "seed": 5})).json()
    assert opened["environment"] == world.id
    assert (opened["task"], opened["state"], opened["calls"]) == (TASK_ID, "open", 0)
    assert opened["mcp_url"] == f"{running.ends.agent_url}/episodes/{opened['id']}/mcp"
    with world.open(TASK_ID) as episode:
        assert opened["prompt"] == episode.prompt()


async def test_the_only_environment_need_not_be_named(running: Running, world: Environment) -> None:
    assert (await running.control.post("/episodes")).json()["environment"] == world.id
    assert (await running.control.post("/episodes", json={"environment": world.id})).status_code == 201


async def test_an_actor_can_be_chosen(running: Running) -> None:
    chosen = await running.control.post("/episodes", json={"actor": {"roles": ["clerk"], "id": 7}})
    assert chosen.status_code == 201
    nobody = await running.control.post("/episodes", json={"actor": {"roles": ["clerk"], "id": 1000}})
    assert nobody.status_code == 400
    assert nobody.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "JSON"),
        (b"[]", "body"),
        (b'{"task": 3}', "task"),
        (b'{"task": "no-such-task"}', "no-such-task"),
        (b'{"environment": "elsewhere-123456"}', "elsewhere-123456"),
        (b'{"seed": "x"}', "seed"),
        (b'{"gold": true}', "gold"),
        (b'{"actor": {"roles": [], "id": 1}}', "actor.roles"),
    ],
)
async def test_what_cannot_be_opened_is_explained(running: Running, body: bytes, says: str) -> None:
    before = (await running.control.get("/health")).json()
    answer = await running.control.post("/episodes", content=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert says in error["message"]
    assert error["remedy"]
    assert (await running.control.get("/health")).json() == before


async def test_verdicts_are_given_once_and_read_again(running: Running) -> None:
    id, url = await running.open()
    first = await running.verify(id)
    assert first["outcome"] == "incomplete"
    async with Client(url) as client:
        assert (await client.call_tool("take_item", {"item_id": 11, "amount": 2})).is_error
    assert await running.verify(id) == first
    assert (await running.summaries())[id]["state"] == "verified"


async def test_a_free_world_has_no_verdict(running: Running) -> None:
    id, _ = await running.open(task=None)
    answer = await running.control.post(f"/episodes/{id}/verify")
    assert answer.status_code == 409
    assert answer.json()["error"]["remedy"]


async def test_the_trace_holds_what_was_done(running: Running) -> None:
    id, url = await running.open()
    async with Client(url) as client:
        await client.call_tool("take_item", {"item_id": 11, "amount": 2})
        await client.call_tool("submit", {"status": "done"})
    trace = (await running.control.get(f"/episodes/{id}/trace")).json()
    assert trace["task"] == TASK_ID
    assert trace["submission"]["status"] == "done"
    (call,) = [event for event in trace["events"] if event["kind"] == "call"]
    assert (call["tool"], call["args"]) == ("take_item", {"item_id": 11, "amount": 2})
    assert call["changes"][0]["table"] == "items"
    assert (await running.summaries())[id]["state"] == "submitted"


async def test_tasks_are_listed(running: Running, world: Environment) -> None:
    (task,) = (await running.control.get("/tasks")).json()["tasks"]
    assert task == {
        "environment": world.id,
        "id": TASK_ID,
        "instruction": "Take two blue lamps.",
        "actor": {"roles": ["clerk"], "id": 7},
        "split": "train",
    }


async def test_closed_episodes_are_gone(running: Running) -> None:
    id, _ = await running.open()
    assert (await running.control.delete(f"/episodes/{id}")).status_code == 204
    for method, path in (("DELETE", ""), ("GET", "/trace"), ("POST", "/verify")):
        answer = await running.control.request(method, f"/episodes/{id}{path}")
        assert answer.status_code == 404
        assert "expired" in answer.json()["error"]["message"]


async def test_the_number_of_episodes_is_bounded(serve: Serve) -> None:
    async with serve(max_episodes=3) as running:
        opened = [await running.open() for _ in range(3)]
        full = await running.control.post("/episodes", json={})
        assert full.status_code == 503
        assert "3 episodes" in full.json()["error"]["message"]
        await running.control.delete(f"/episodes/{opened[0][0]}")
        await running.open()


async def test_many_openings_at_once_respect_the_bound(serve: Serve) -> None:
    async with serve(max_episodes=20) as running:
        statuses = list[int]()

        async def ask() -> None:
            statuses.append((await running.control.post("/episodes", json={})).status_code)

        async with anyio.create_task_group() as group:
            for _ in range(40):
                group.start_soon(ask)
        assert sorted(statuses) == [201] * 20 + [503] * 20
        assert len(await running.summaries()) == 20


async def test_idle_episodes_expire_and_busy_ones_do_not(serve: Serve) -> None:
    async with serve(idle_seconds=0.8) as running:
        idle, _ = await running.open()
        busy, url = await running.open()
        watched, _ = await running.open()
        async with Client(url, mode="2026-07-28") as client:
            for _ in range(6):
                await anyio.sleep(0.2)
                await client.call_tool("count_items", {})
                await running.control.get(f"/episodes/{watched}/trace")
            assert set(await running.summaries()) == {busy, watched}
            assert (await running.control.post(f"/episodes/{idle}/verify")).status_code == 404
            with anyio.fail_after(10):
                while await running.summaries():
                    await anyio.sleep(0.05)
            with pytest.raises(MCPError, match="over"):
                await client.call_tool("count_items", {})


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x"]
)
async def test_without_the_token_nothing_is_said(running: Running, header: str | None) -> None:
    token = running.ends.control_token
    headers = {} if header is None else {"Authorization": header.format(token=token)}
    async with httpx.AsyncClient(base_url=running.ends.control_url, trust_env=False) as stranger:
        for method, path in ROUTES:
            refused = await stranger.request(method, path, headers=headers)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
            assert token not in refused.text


async def test_the_agents_token_opens_no_control(serve: Serve) -> None:
    async with serve(control_token="control-secret", token="agent-secret") as running:
        headers = {"Authorization": "Bearer agent-secret"}
        async with httpx.AsyncClient(base_url=running.ends.control_url, trust_env=False, headers=headers) as agent:
            assert {(await agent.request(method, path)).status_code for method, path in ROUTES} == {401}


async def test_bodies_are_bounded(running: Running) -> None:
    assert (await running.control.post("/episodes", content=b" " * 100_000)).status_code == 413


def test_something_must_be_served() -> None:
    with pytest.raises(InputError, match="no environment"):
        EnvironmentService([])


async def test_of_several_environments_one_is_named(serve: Serve, world: Environment) -> None:
    other = Environment.build(
        spec=world.spec.model_copy(update={"id": "other-room"}),
        schema_sql=world.schema_sql + "CREATE TABLE doors (id INTEGER PRIMARY KEY NOT NULL) STRICT;",
        seed_sql=world.seed_sql,
        tools=world.tools_file,
    )
    service = EnvironmentService([world, other], ServiceSettings(port=0))
    async with serve(service) as running:
        unnamed = await running.control.post("/episodes", json={})
        assert unnamed.status_code == 400
        assert other.id in unnamed.json()["error"]["remedy"]
        named: dict[str, Any] = (await running.control.post("/episodes", json={"environment": other.id})).json()
        assert named["environment"] == other.id
