"""What calls to one endpoint share: how many are in flight, its HTTP client, and what it was found to refuse."""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache

import httpx


class Endpoint:
    """One address. Connections and waiting belong to an event loop; they end with it."""

    def __init__(self, address: str, *, is_loopback: bool) -> None:
        self.address = address
        self.refuses: set[tuple[str, str]] = set()
        """Models, each with what it refused to take for them (`Extra.what`)."""
        self._is_loopback = is_loopback
        self._loops: dict[asyncio.AbstractEventLoop, _Line] = {}

    @asynccontextmanager
    async def slot(self, concurrency: int) -> AsyncIterator[None]:
        """Held while a call is in flight. Waits, first come first served, while `concurrency` or more are."""
        queue = (await self._line()).queue
        await queue.enter(concurrency)
        try:
            yield
        finally:
            queue.leave()

    async def client(self) -> httpx.AsyncClient:
        return (await self._line()).client

    async def _line(self) -> _Line:
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            # A proxy stands between this machine and others, never before the machine itself.
            certificates = _certificates()
            client = httpx.AsyncClient(verify=certificates, trust_env=not self._is_loopback, follow_redirects=True)
            line = _Line(client)
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
        self.queue = _Queue()
        self.end: AsyncGenerator[None] | None = None


class _Queue:
    """A semaphore whose size each one that enters may set differently."""

    def __init__(self) -> None:
        self._busy = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def enter(self, most: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((most, turn))
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        self._busy -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and (self._waiting[0][1].done() or self._busy < self._waiting[0][0]):
            _, turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Read once: it takes longer than all else that a new client needs."""
    return httpx.create_ssl_context()


@lru_cache(maxsize=256)
def endpoint_at(address: str, is_loopback: bool) -> Endpoint:
    """The one Endpoint of an address: models behind it share it."""
    return Endpoint(address, is_loopback=is_loopback)
