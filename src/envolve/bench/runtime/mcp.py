"""What a tool call costs over MCP, beside the SDK's own share measured in the same run.

`python -m envolve.bench.runtime.mcp [--calls N]` prints the figures. World and echo take turns in short blocks, so
that both see the same machine; a ratio is the median over blocks of (median of the world's calls / median of the
echo's).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import Any, Final

from mcp import Client, StdioServerParameters

from envolve.environments.serving import episode_server

from ..figures import Figure, machine, median_figure, table
from .mcp_servers import ECHO, UNLIMITED, echo_server, started
from .synthetic import synthetic_environment

BLOCK: Final = 10
"""Calls to one tool before the next takes its turn."""

Blocks = Sequence[Sequence[float]]
Call = Callable[[], Awaitable[Any]]

READ: Final = ("get_person", {"person_id": 30})


async def figures(*, calls: int = 4_000, starts: int = 5) -> list[Figure]:
    """All figures, from `calls` calls to each tool in process, and a quarter of that over HTTP in each era; and from
    `starts` processes that speak over stdio."""
    environment = synthetic_environment()
    with environment.open() as episode:
        answer = episode.call(READ[0], **READ[1]).payload()
    return [
        *await _in_process(calls, answer),
        *await _over_http(calls // 4, answer),
        await _stdio_start(starts),
    ]


async def _in_process(calls: int, answer: dict[str, Any]) -> list[Figure]:
    with synthetic_environment().open(limits=UNLIMITED) as episode:
        async with Client(echo_server(answer)) as echo, Client(episode_server(episode)) as world:
            seconds = await _blocks(await _calls(echo, world), calls)
    return [
        _median("MCP in process: the SDK's bare echo", seconds["echo"]),
        _median("MCP in process: read one row", seconds["read"], goal=0.35),
        _median("MCP in process: write with two guards", seconds["write"], goal=0.35),
    ]


async def _over_http(calls: int, answer: dict[str, Any]) -> list[Figure]:
    found = list[Figure]()
    with started("echo", answer) as echo_url, started("world", answer) as world_url:
        for era in ("2026-07-28", "legacy"):
            async with Client(echo_url, mode=era) as echo, Client(world_url, mode=era) as world:
                seconds = await _blocks(await _calls(echo, world), calls)
            found += [
                _median(f"MCP over HTTP, {era}: the SDK's bare echo", seconds["echo"]),
                _median(f"MCP over HTTP, {era}: read one row", seconds["read"]),
                _ratio(f"MCP over HTTP, {era}: read / echo", seconds["read"], seconds["echo"]),
                _ratio(f"MCP over HTTP, {era}: write / echo", seconds["write"], seconds["echo"]),
            ]
    return found


async def _stdio_start(times: int) -> Figure:
    seconds = list[float]()
    server = StdioServerParameters(command=sys.executable, args=["-m", f"{__package__}.mcp_servers", "stdio"])
    for _ in range(times):
        begun = time.perf_counter()
        async with Client(server, mode="2026-07-28") as client:
            await client.call_tool(*READ)
            seconds.append(time.perf_counter() - begun)
    return median_figure("MCP over stdio: from process start to first answer", seconds, "s")


async def _calls(echo: Client, world: Client) -> dict[str, Call]:
    """The calls to compare. Tools are listed first, or the first call would do it."""
    await echo.list_tools()
    await world.list_tools()
    mine = (await world.call_tool("list_notes", {"owner_id": 7})).structured_content
    assert mine is not None
    change = {"id": mine["items"][0]["id"], "amount": 5, "status": "open"}
    return {
        "echo": lambda: echo.call_tool(ECHO, READ[1]),
        "read": lambda: world.call_tool(*READ),
        "write": lambda: world.call_tool("update_notes", change),
    }


async def _blocks(calls: Mapping[str, Call], times: int) -> dict[str, list[list[float]]]:
    """Milliseconds by call and block; the first block of each is thrown away."""
    found: dict[str, list[list[float]]] = {name: [] for name in calls}
    for _ in range(max(times // BLOCK, 2) + 1):
        for name, call in calls.items():
            found[name].append([await _milliseconds(call) for _ in range(BLOCK)])
    return {name: blocks[1:] for name, blocks in found.items()}


async def _milliseconds(call: Call) -> float:
    begun = time.perf_counter()
    result = await call()
    elapsed = time.perf_counter() - begun
    if result.is_error:
        raise RuntimeError(f"a call of the bench failed: {result.structured_content}")
    return elapsed * 1e3


def _median(name: str, blocks: Blocks, goal: float | None = None) -> Figure:
    return median_figure(name, [value for block in blocks for value in block], "ms", goal=goal)


def _ratio(name: str, over: Blocks, under: Blocks) -> Figure:
    return median_figure(name, [median(a) / median(b) for a, b in zip(over, under, strict=True)], "×", goal=1.2)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m envolve.bench.runtime.mcp", description=__doc__)
    parser.add_argument("--calls", type=int, default=4_000)
    options = parser.parse_args()
    begun = time.perf_counter()
    found = asyncio.run(figures(calls=options.calls))
    seconds = time.perf_counter() - begun
    again = f"python -m envolve.bench.runtime.mcp --calls {options.calls}"
    sys.stdout.write(f"{table(found)}\n{machine()}; {seconds:.0f} s; again: {again}\n")


if __name__ == "__main__":
    main()
