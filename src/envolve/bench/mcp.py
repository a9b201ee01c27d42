"""What a tool call costs over MCP, beside the SDK's own share measured in the same run.

`python -m envolve.bench.mcp` prints the rows. World and echo take turns in short blocks, so that both see the same
machine; a ratio is the median over blocks of (median of the world's calls / median of the echo's).
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

from .mcp_servers import ARGUMENTS, READ, WRITE, bench_world, echo_server, started

BLOCK = 50
"""Calls to one tool before the next takes its turn."""

Call = Callable[[], Awaitable[Any]]


class Row(NamedTuple):
    """One measured figure. `interval`: 95%, by order statistics."""

    name: str
    value: float
    unit: str
    n: int
    interval: tuple[float, float]
    goal: float | None = None

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.value <= self.goal


async def measure_mcp(*, calls: int = 2000) -> list[Row]:
    """All rows, from `calls` calls to each tool in process and a quarter of that over HTTP."""
    return [*await _in_process(calls), *await _over_http(max(calls // 4, BLOCK)), await _stdio_start()]


async def _in_process(calls: int) -> list[Row]:
    from mcp import Client

    from ..environments.limits import Limits
    from ..environments.serving import episode_server

    with bench_world().open(limits=Limits(calls=10**9)) as episode:
        async with Client(echo_server()) as echo, Client(episode_server(episode)) as world:
            blocks = await _blocks(_calls(echo, world), calls)
    return [
        _median_row("in process: the SDK's echo", blocks["echo"], "ms"),
        _median_row("in process: read", blocks["read"], "ms", goal=0.35),
        _median_row("in process: write with two guards", blocks["write"], "ms", goal=0.35),
    ]


async def _over_http(calls: int) -> list[Row]:
    from mcp import Client

    rows = list[Row]()
    with started("echo") as echo_url, started("world") as world_url:
        for era in ("2026-07-28", "legacy"):
            async with Client(echo_url, mode=era) as echo, Client(world_url, mode=era) as world:
                blocks = await _blocks(_calls(echo, world), calls)
            rows.append(_median_row(f"HTTP, {era}: the SDK's echo", blocks["echo"], "ms"))
            rows.append(_median_row(f"HTTP, {era}: read", blocks["read"], "ms"))
            rows.append(_ratio_row(f"HTTP, {era}: read / echo", blocks["read"], blocks["echo"], goal=1.2))
            rows.append(_ratio_row(f"HTTP, {era}: write / echo", blocks["write"], blocks["echo"], goal=1.2))
    return rows


async def _stdio_start(times: int = 5) -> Row:
    """Seconds from starting the process to the first tool's answer."""
    from mcp import Client, StdioServerParameters

    seconds = list[float]()
    for _ in range(times):
        begun = time.perf_counter()
        server = StdioServerParameters(command=sys.executable, args=["-m", f"{__package__}.mcp_servers", "stdio"])
        async with Client(server, mode="2026-07-28") as client:
            await client.call_tool(READ, ARGUMENTS)
            seconds.append(time.perf_counter() - begun)
    return _median_row("stdio: from start to first answer", [seconds], "s")


def _calls(echo: Any, world: Any) -> dict[str, Call]:
    return {
        "echo": lambda: echo.call_tool(READ, ARGUMENTS),
        "read": lambda: world.call_tool(READ, ARGUMENTS),
        "write": lambda: world.call_tool(WRITE, ARGUMENTS),
    }


async def _blocks(calls: dict[str, Call], times: int) -> dict[str, list[list[float]]]:
    """Seconds by call and block; a first block of each is thrown away."""
    blocks: dict[str, list[list[float]]] = {name: [] for name in calls}
    for _ in range(max(times // BLOCK, 2) + 1):
        for name, call in calls.items():
            blocks[name].append([await _seconds(call) for _ in range(BLOCK)])
    return {name: measured[1:] for name, measured in blocks.items()}


async def _seconds(call: Call) -> float:
    begun = time.perf_counter()
    result = await call()
    seconds = time.perf_counter() - begun
    if result.is_error:
        raise RuntimeError(f"a bench call failed: {result.structured_content}")
    return seconds


def _median_row(name: str, blocks: Sequence[Sequence[float]], unit: str, goal: float | None = None) -> Row:
    scale = 1000 if unit == "ms" else 1
    values = sorted(value * scale for block in blocks for value in block)
    return Row(name, median(values), unit, len(values), _interval(values), goal)


def _ratio_row(name: str, over: Sequence[Sequence[float]], under: Sequence[Sequence[float]], goal: float) -> Row:
    ratios = sorted(median(a) / median(b) for a, b in zip(over, under, strict=True))
    return Row(name, median(ratios), "×", len(ratios), _interval(ratios), goal)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """95% interval of the median of sorted `values`."""
    half = 0.98 * math.sqrt(len(values))
    middle = len(values) / 2
    low, high = max(math.floor(middle - half), 0), min(math.ceil(middle + half), len(values) - 1)
    return values[low], values[high]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m envolve.bench.mcp", description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    options = parser.parse_args(arguments)
    rows = asyncio.run(measure_mcp(calls=options.calls))
    for row in rows:
        low, high = row.interval
        goal = "" if row.goal is None else f"   goal ≤ {row.goal:g}: {'met' if row.met else 'MISSED'}"
        sys.stdout.write(f"{row.name:40} {row.value:8.3f} {row.unit:2} [{low:.3f}, {high:.3f}] n={row.n}{goal}\n")
    sys.stdout.write(f"Repeat with: python -m envolve.bench.mcp --calls {options.calls}\n")
    return 1 if any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
