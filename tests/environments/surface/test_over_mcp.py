"""A real client lists and calls tools in a look; a model's wire takes them."""

from __future__ import annotations

import json

import pytest
from mcp import Client
from mcp_types import TextContent

from envolve.agents.solvers.llm.wire import paged, result_message, wire_tools
from envolve.environments.models import Surface
from envolve.environments.serving import EpisodeRequest, episode_server

from .conftest import LOOKS, Dress, named

TASK = "move-the-anniversary-dinner"


@pytest.mark.anyio
@pytest.mark.parametrize("look", LOOKS, ids=named)
async def test_a_client_lists_and_calls_tools_and_submits(dress: Dress, look: Surface) -> None:
    environment = dress("sample", look)
    canonical = environment.kit.look
    assert canonical is not None
    with EpisodeRequest(task=TASK).open(environment, None) as episode:
        async with Client(episode_server(episode)) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(listed) == [tool["name"] for tool in episode.tools]
            spelled = canonical.tools["list_restaurant_bookings"].name
            found = await client.call_tool(spelled, {})
            assert not found.is_error
            value = canonical.canonical("list_restaurant_bookings", found.structured_content, ok=True).value
            with environment.open(TASK) as inner:
                assert value == inner.call("list_restaurant_bookings").value
            refused = await client.call_tool("no_such_tool", {})
            assert refused.is_error
            (block,) = refused.content
            assert isinstance(block, TextContent)
            assert json.loads(block.text) == refused.structured_content
            error = canonical.canonical("", refused.structured_content, ok=False).error
            assert error is not None
            assert error.code == "not_found"
            assert not (await client.call_tool("submit", {"status": "done"})).is_error
        assert episode.verify().outcome == "incomplete"


@pytest.mark.parametrize("look", LOOKS, ids=named)
def test_models_are_told_how_to_take_fewer_at_a_time(dress: Dress, look: Surface) -> None:
    environment = dress("sample", look)
    with environment.play(TASK) as episode:
        wire, pages = wire_tools(episode.tools), paged(episode.tools)
        paged_tools = [plan.tool.name for plan in environment.plans.values() if plan.result and plan.result.count]
        assert environment.kit.look is not None
        assert {environment.kit.look.tools[name].name for name in paged_tools} & set(pages) == set(pages) != set()
        for tool in wire:
            for name in pages.get(tool["function"]["name"], ()):
                assert name in tool["function"]["parameters"]["properties"]
        huge = environment.kit.look.answer(
            episode.call_canonical("get_my_profile").model_copy(update={"value": "x" * 20_000})
        )
        told = result_message(huge, 0, 0, pages=next(iter(pages.values())))["content"]
        assert all(name in told[-90:] for name in next(iter(pages.values())))
