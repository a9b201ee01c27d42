"""Starting and stopping: ports, signals, work under way, and nothing left behind."""

import asyncio
import gc
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import anyio
import httpx
import httpx2
import pytest
from mcp import Client, MCPError

from envolve.environments.errors import InputError, ServiceError
from envolve.environments.package import Environment
from envolve.environments.serving import EnvironmentService, EpisodeRequest, ServiceSettings

from .conftest import Running, Serve

pytestmark = pytest.mark.anyio


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.mark.parametrize("which", ["port", "control_port"])
async def test_a_port_in_use_is_named_with_a_remedy(world: Environment, taken_port: int, which: str) -> None:
    settings = ServiceSettings.model_validate({"port": 0, which: taken_port})
    with pytest.raises(ServiceError, match=f"127.0.0.1:{taken_port}: the port is in use") as caught:
        async with EnvironmentService([world], settings).running():
            pass
    assert caught.value.exit_code == 3
    assert "another port" in caught.value.remedy


async def test_an_address_of_another_machine_is_named(world: Environment) -> None:
    with pytest.raises(ServiceError, match=r"192\.0\.2\.1:0: this machine has no such address"):
        async with EnvironmentService([world], ServiceSettings(host="192.0.2.1", port=0)).running():
            pass


async def test_ports_and_tasks_are_given_back(serve: Serve) -> None:
    before = set(asyncio.all_tasks())
    async with serve() as running:
        for era in ("2026-07-28", "legacy"):
            _, url = await running.open()
            async with Client(url, mode=era) as client:
                await client.call_tool("count_items", {})
    for url in (running.ends.agent_url, running.ends.control_url):
        port = int(url.rpartition(":")[2])
        socket.create_server(("127.0.0.1", port)).close()
    gc.collect()
    # sse-starlette, under the SDK, keeps one watcher a loop for as long as the loop runs.
    left = [task for task in asyncio.all_tasks() - before if "_shutdown_watcher" not in repr(task)]
    assert left == []


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_stopping_in_the_middle_ends_clients_soon(serve: Serve, era: str) -> None:
    """A legacy client holds an event stream open; a stop must not wait for it, nor for one who keeps calling."""
    calls = [0] * 5

    async def keep_calling(number: int, url: str) -> None:
        try:
            async with Client(url, mode=era) as client:
                while not (await client.call_tool("count_items", {})).is_error:
                    calls[number] += 1
        except* (MCPError, httpx2.TransportError):
            pass

    async with anyio.create_task_group() as group:
        async with serve() as running:
            for number in range(len(calls)):
                _, url = await running.open()
                group.start_soon(keep_calling, number, url)
            while min(calls) < 4:
                await anyio.sleep(0.01)
            stopped = time.perf_counter()
        assert time.perf_counter() - stopped < 4


async def test_a_call_under_way_is_finished_before_the_world_closes(serve: Serve) -> None:
    async with serve() as running:
        id, url = await running.open()
        async with Client(url, mode="2026-07-28") as client, anyio.create_task_group() as group:
            answers = list[bool]()

            async def grind() -> None:
                answers.append((await client.call_tool("grind", {"up_to": 200_000})).is_error)

            await client.list_tools()
            group.start_soon(grind)
            await anyio.sleep(0.02)
            await running.control.delete(f"/episodes/{id}")
        assert answers == [False]


async def test_slow_calls_hold_nobody_else_up(running: Running) -> None:
    """Were they run on the event loop, each quick call would wait for a slow one to end."""
    (_, slow), (_, quick) = await running.open(task=None), await running.open()
    async with Client(slow, mode="2026-07-28") as grinder, Client(quick, mode="2026-07-28") as client:
        await client.call_tool("count_items", {})
        await grinder.list_tools()
        grinding = [await seconds(grinder.call_tool("grind", {"up_to": 10**12})) for _ in range(3)]

        async def keep_grinding() -> None:
            while True:
                await grinder.call_tool("grind", {"up_to": 10**12})

        async with anyio.create_task_group() as group:
            group.start_soon(keep_grinding)
            await anyio.sleep(0.01)
            waits = [await seconds(client.call_tool("count_items", {})) for _ in range(21)]
            group.cancel_scope.cancel()
    assert median(waits) < median(grinding) / 2


async def seconds(call: Awaitable[object]) -> float:
    begun = time.perf_counter()
    await call
    return time.perf_counter() - begun


async def test_a_task_that_does_not_exist_is_told_at_the_start(world: Environment) -> None:
    standing = EpisodeRequest(task="no-such-task")
    with pytest.raises(InputError, match="no-such-task"):
        async with EnvironmentService([world], ServiceSettings(port=0), standing=standing).running():
            pass


async def test_what_the_body_raises_comes_out_as_it_is(serve: Serve) -> None:
    with pytest.raises(LookupError, match="mine"):
        async with serve():
            raise LookupError("mine")


def test_a_service_runs_only_while_it_runs(world: Environment) -> None:
    service = EnvironmentService([world], ServiceSettings(port=0))

    async def twice() -> None:
        for _ in range(2):
            async with service.running() as ends, httpx.AsyncClient(trust_env=False) as agent:
                assert (await agent.get(f"{ends.agent_url}/health")).json() == {"status": "ok"}

    asyncio.run(twice())


@pytest.fixture(scope="session")
def package(world: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return world.save(tmp_path_factory.mktemp("environments"))


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Killed at the end, however the test went."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        try:
            yield started
        finally:
            started.kill()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_process(package: Path, sent: signal.Signals) -> None:
    command = (sys.executable, "-W", "error", "-m", "envolve", "serve", str(package), "--port", "0")
    with process(*command) as served:
        assert served.stderr is not None
        assert served.stdout is not None
        url = served.stderr.readline().removeprefix("MCP").strip()
        async with Client(url, mode="legacy") as client:
            assert (await client.call_tool("count_items", {})).structured_content
            served.send_signal(sent)
            assert await anyio.to_thread.run_sync(lambda: served.wait(timeout=10)) == 0
        assert served.stdout.read() == ""
        assert "Traceback" not in served.stderr.read()
