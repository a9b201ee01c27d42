"""An episode behind the official client, in process."""

import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent

from envolve.environments.episode import Episode
from envolve.environments.limits import Limits
from envolve.environments.package import Environment
from envolve.environments.serving import episode_server

from .conftest import TASK_ID

pytestmark = pytest.mark.anyio

ERAS = ("2026-07-28", "legacy", "auto")


@pytest.fixture
def episode(world: Environment) -> Iterator[Episode]:
    with world.open(TASK_ID) as episode:
        yield episode


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def error_code(result: CallToolResult) -> str:
    assert result.is_error, result
    assert result.structured_content == json.loads(text(result))
    code: str = result.structured_content["error"]["code"]
    return code


@pytest.mark.parametrize("era", ERAS)
async def test_a_task_can_be_done(episode: Episode, era: str) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        found = await client.call_tool("find_items", {"word": "blue"})
        assert found.structured_content == {"items": [{"id": 11, "name": "blue lamp", "count": 9}]}
        assert json.loads(text(found)) == found.structured_content
        assert not (await client.call_tool("take_item", {"item_id": 11, "amount": 2})).is_error
        assert not (await client.call_tool("submit", {"status": "done"})).is_error
        after = await client.call_tool("find_items", {"word": "blue"})
        assert after.is_error
    verdict = episode.verify()
    assert (verdict.outcome, verdict.reward) == ("completed", 1)


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_the_episodes(episode: Episode, era: str) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        listed = (await client.list_tools()).tools
    assert [(tool.name, tool.description, tool.input_schema) for tool in listed] == [
        (tool["name"], tool["description"], tool["inputSchema"]) for tool in episode.tools
    ]
    assert listed[-1].name == "submit"


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_the_prompt_comes_as_instructions(episode: Episode, era: str) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        assert client.instructions == episode.prompt()


async def test_a_bare_value_is_wrapped_and_its_text_is_not(episode: Episode) -> None:
    async with Client(episode_server(episode)) as client:
        result = await client.call_tool("count_items", {})
        without = await client.call_tool("count_items")
    expected = episode.call("count_items").payload()
    assert json.loads(text(result)) == expected
    assert result.structured_content == (expected if isinstance(expected, dict) else {"result": expected})
    assert without == result


async def test_text_is_what_other_solvers_see(world: Environment, episode: Episode) -> None:
    with world.open(TASK_ID) as twin:
        direct = twin.call("find_items", word="židle")
    async with Client(episode_server(episode)) as client:
        result = await client.call_tool("find_items", {"word": "židle"})
    assert text(result) == json.dumps(direct.payload(), ensure_ascii=False)
    assert "Žlutá židle" in text(result)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("take_item", {"item_id": 999, "amount": 1}, "not_found"),
        ("take_item", {"item_id": 11, "amount": 100}, "conflict"),
        ("take_item", {"item_id": "11", "amount": 1}, "invalid_argument"),
        ("take_item", {"item_id": 11, "amount": 0}, "invalid_argument"),
        ("take_item", {"item_id": 11, "amount": None}, "invalid_argument"),
        ("take_item", {"item_id": 11}, "invalid_argument"),
        ("take_item", {"item_id": 11, "amount": 1, "self": 1, "name": "x"}, "invalid_argument"),
        ("take_item", {"item_id": 2**70, "amount": 1}, "invalid_argument"),
        ("find_items", {"word": ["blue"]}, "invalid_argument"),
        ("find_items", {"word": "x" * 3_000_000}, "invalid_argument"),
        ("submit", {"status": "finished"}, "invalid_argument"),
        ("submit", {"status": "done", "verdict": "completed"}, "invalid_argument"),
        ("submit", {"status": ["done"]}, "invalid_argument"),
    ],
)
async def test_mistakes_are_tool_errors(
    episode: Episode, era: str, tool: str, arguments: dict[str, Any], code: str
) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        assert error_code(await client.call_tool(tool, arguments)) == code
    assert episode.changes().rows == ()
    assert episode.trace.submission is None


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "tool", ["nope", "", "verify", "reset", "__init__", "call", "take_item ", "x" * 10_000, "žlutá"]
)
async def test_unknown_tools_are_tool_errors(episode: Episode, era: str, tool: str) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        assert (await client.call_tool(tool, {})).is_error
        assert not (await client.call_tool("count_items", {})).is_error


async def test_a_free_world_has_no_submit(world: Environment) -> None:
    with world.open() as episode:
        async with Client(episode_server(episode)) as client:
            assert "submit" not in [tool.name for tool in (await client.list_tools()).tools]
            assert (await client.call_tool("submit", {"status": "done"})).is_error
        assert episode.trace.submission is None


@pytest.mark.parametrize("ending", ["verify", "close"])
@pytest.mark.parametrize("tool", ["count_items", "submit", "nope"])
async def test_an_episode_that_is_over_says_so(episode: Episode, ending: str, tool: str) -> None:
    async with Client(episode_server(episode)) as client:
        getattr(episode, ending)()
        assert error_code(await client.call_tool(tool, {})) != "internal"


@pytest.mark.parametrize("era", ERAS)
async def test_there_is_nothing_but_tools(episode: Episode, era: str) -> None:
    async with Client(episode_server(episode), mode=era) as client:
        for ask in (client.list_resources, client.list_prompts, client.list_resource_templates):
            with pytest.raises(MCPError, match="Method not found"):
                await ask()
        for ask_for in (client.read_resource, client.get_prompt):
            with pytest.raises(MCPError, match="Method not found"):
                await ask_for("gold")


async def test_a_cancelled_call_leaves_the_world_whole(episode: Episode) -> None:
    async with Client(episode_server(episode)) as client:
        with anyio.move_on_after(0):
            await client.call_tool("take_item", {"item_id": 11, "amount": 1})
        left = (await client.call_tool("find_items", {"word": "blue"})).structured_content
    assert left == {"items": [{"id": 11, "name": "blue lamp", "count": 9 - len(episode.changes().rows)}]}


# Values that no JSON text can carry (a lone surrogate, NaN) reach a server through lenient parsers.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["find_items", "count_items", "take_item", "submit"]) | st.text(max_size=8)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["word", "item_id", "amount", "status", "answer"]) | st.text(max_size=5), JSON
)


async def test_nothing_a_client_sends_breaks_the_protocol(world: Environment) -> None:
    with world.open(TASK_ID, limits=Limits(calls=100_000)) as episode:
        async with Client(episode_server(episode), mode="2026-07-28") as client:
            sent = list[tuple[str, dict[str, Any]]]()

            @settings(max_examples=150, derandomize=True, database=None, deadline=None)
            @given(NAMES, ARGUMENTS)
            def collect(name: str, arguments: dict[str, Any]) -> None:
                sent.append((name, arguments))

            collect()
            for name, arguments in sent:
                result = await client.call_tool(name, arguments)
                json.loads(text(result))
                if result.is_error:
                    assert error_code(result) != "internal", (name, arguments)
