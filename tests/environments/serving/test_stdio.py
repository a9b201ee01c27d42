"""One episode over the standard streams of a real process."""

import json
import signal
import subprocess
import sys

import pytest
from mcp import Client, StdioServerParameters

from envolve.environments.package import Environment

from .conftest import MARKS, TASK_ID

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="session")
def command(world: Environment, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    package = world.save(tmp_path_factory.mktemp("environments"))
    return [sys.executable, "-W", "error", "-m", "envolve", "serve", str(package), "--stdio"]


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_a_task_over_stdio(command: list[str], era: str) -> None:
    server = StdioServerParameters(command=command[0], args=[*command[1:], "--task", TASK_ID])
    async with Client(server, mode=era) as client:
        assert [tool.name for tool in (await client.list_tools()).tools][-1] == "submit"
        taken = await client.call_tool("take_item", {"item_id": 11, "amount": 2})
        assert taken.structured_content == {"id": 11, "name": "blue lamp", "count": 7}
        assert (await client.call_tool("take_item", {"item_id": "x"})).is_error
        assert (await client.call_tool("nope", {})).is_error
        assert not (await client.call_tool("submit", {"status": "done"})).is_error


def test_stdout_carries_the_protocol_and_nothing_else(command: list[str]) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    call = {"name": "find_items", "arguments": {"word": "židle"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for line in (*lines, "not json"):
            process.stdin.write(json.dumps(line).encode() + b"\n" if isinstance(line, dict) else b"not json\n")
            process.stdin.flush()
            if isinstance(line, dict) and "id" in line:
                answers.append(process.stdout.readline())
        rest, errors = process.communicate(timeout=10)
    assert process.returncode == 0
    assert [json.loads(answer)["id"] for answer in answers] == [1, 2]
    assert json.loads(answers[1])["result"]["structuredContent"]["items"][0]["name"] == "Žlutá židle"
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert not [mark for mark in MARKS if mark.encode() in b"".join(answers) + rest]
    assert b"Traceback" not in errors


def test_an_interrupt_ends_it_although_stdin_is_open(command: list[str]) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) in (0, -signal.SIGINT, 130)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
