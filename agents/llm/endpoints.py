"""What calls to one endpoint share: how many are in flight, its HTTP client, and what it was found to refuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache

import httpx


class Endpoint:
    """One address. Connections and waiting belong to an event loop; they end with it."""

    def __init__(self, address: str, *, is_loopback: bool) -> None:
        self.address = address
        self.refuses_schema: set[str] = set()
        """Models for which it refused a `response_format`."""
        self._is_loopback = is_loopback
        self._loops: dict[asyncio.AbstractEventLoop, _Line] = {}

    @asynccontextmanager
    async def slot(self, concurrency: int) -> AsyncIterator[None]:
        """Held while a call is in flight. Waits while `concurrency` or more are."""
        line = await self._line()
        async with line.free:
            await line.free.wait_for(lambda: line.busy < concurrency)
            line.busy += 1
        try:
            yield
        finally:
            line.busy -= 1
            async with line.free:
                line.free.notify_all()

    async def client(self) -> httpx.AsyncClient:
        return (await self._line()).client

    async def _line(self) -> _Line:
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            # A proxy stands between this machine and others, never before the machine itself.
            line = _Line(httpx.AsyncClient(trust_env=not self._is_loopback, follow_redirects=True))
            self._loops[loop] = line
            line.end = self._closed_with(loop)
            await anext(line.end)
        return self._loops[loop]

    async def _closed_with(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
        """Started once, it waits for the loop's end: a loop closes the asynchronous generators left in it, and nothing
        else tells of its end."""
        try:
            yield
        finally:
            await self._loops.pop(loop).client.aclose()


class _Line:
    """An endpoint as one event loop uses it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.free = asyncio.Condition()
        self.busy = 0
        self.end: AsyncGenerator[None] | None = None


@lru_cache(maxsize=256)
def endpoint_at(address: str, is_loopback: bool) -> Endpoint:
    """The one Endpoint of an address: models behind it share it."""
    return Endpoint(address, is_loopback=is_loopback)
