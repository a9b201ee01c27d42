"""Who may speak to a service: hosts, origins, tokens, addresses."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from envolve.environments.package import Environment
from envolve.environments.serving import EnvironmentService, ServiceSettings

from .conftest import Running, Serve

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("surface", ["agent", "control"])
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "evil.example:8750", 421),
        ("Host", "127.0.0.1.evil.example", 421),
        ("Host", "", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "https://127.0.0.1.evil.example", 403),
        ("Origin", "null", 403),
    ],
)
async def test_foreign_hosts_and_origins_are_refused(
    running: Running, surface: str, header: str, value: str, status: int
) -> None:
    _, url = await running.open()
    target = url if surface == "agent" else f"{running.ends.control_url}/episodes"
    headers = {header: value, "Authorization": f"Bearer {running.ends.control_token}"}
    async with httpx.AsyncClient(trust_env=False) as browser:
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            assert (await browser.request(method, target, headers=headers)).status_code == status


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
async def test_loopback_names_are_welcome(running: Running, name: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as agent:
        port = running.ends.agent_url.rpartition(":")[2]
        headers = {"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}"}
        assert (await agent.get(f"{running.ends.agent_url}/health", headers=headers)).status_code == 200


async def test_further_names_can_be_allowed(serve: Serve) -> None:
    async with serve(allowed_hosts=("worlds.internal",)) as running, httpx.AsyncClient(trust_env=False) as agent:
        for host, status in (("worlds.internal", 200), ("worlds.internal:80", 200), ("other.internal", 421)):
            answer = await agent.get(f"{running.ends.agent_url}/health", headers={"Host": host})
            assert answer.status_code == status


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_beyond_loopback_a_token_is_needed(world: Environment, era: str) -> None:
    settings = ServiceSettings(host="0.0.0.0", port=0)
    async with EnvironmentService([world], settings).running() as ends:
        assert ends.token is not None
        assert len(ends.token) >= 32
        assert ends.control_url.startswith("http://127.0.0.1:")
        async with httpx.AsyncClient(trust_env=False) as stranger:
            for headers in ({}, {"Authorization": f"Bearer {ends.control_token}"}):
                assert (await stranger.post(ends.mcp_url, headers=headers)).status_code == 401
        async with _with_token(ends.mcp_url, ends.token, era) as client:
            assert not (await client.call_tool("count_items", {})).is_error


async def test_a_wildcard_address_answers_to_the_machines_name(world: Environment) -> None:
    settings = ServiceSettings(host="0.0.0.0", port=0, token="agent-secret")
    async with EnvironmentService([world], settings).running() as ends, httpx.AsyncClient(trust_env=False) as agent:
        headers = {"Authorization": "Bearer agent-secret"}
        named = await agent.get(f"{ends.agent_url}/health", headers={**headers, "Host": f"{socket.gethostname()}:1"})
        foreign = await agent.get(f"{ends.agent_url}/health", headers={**headers, "Host": "evil.example"})
    assert (named.status_code, foreign.status_code) == (200, 421)


async def test_a_token_can_be_asked_for_on_loopback(serve: Serve) -> None:
    async with serve(token="agent-secret") as running:
        async with httpx.AsyncClient(trust_env=False) as stranger:
            refused = await stranger.post(running.ends.mcp_url)
            assert refused.status_code == 401
            assert "agent-secret" not in refused.text
        async with _with_token(running.ends.mcp_url, "agent-secret", "2026-07-28") as client:
            assert (await client.list_tools()).tools


async def test_the_control_token_is_generated_anew(world: Environment) -> None:
    tokens = set[str]()
    for _ in range(3):
        async with EnvironmentService([world], ServiceSettings(port=0)).running() as ends:
            tokens.add(ends.control_token)
            assert ends.token is None
            assert ends.control_token not in repr(ends)
            assert ends.control_token in ends.announcement()
    assert len(tokens) == 3


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"token": "same-token", "control_token": "same-token"}, "must differ"),
        ({"token": "short"}, "at least 8"),
        ({"control_token": "with a space"}, "without spaces"),
        ({"port": 70_000}, "65535"),
        ({"idle_seconds": 0}, "greater than 0"),
        ({"max_episodes": 0}, "greater than or equal to 1"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        ServiceSettings.model_validate(settings)


@asynccontextmanager
async def _with_token(url: str, token: str, era: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client
