"""One episode on the service: its MCP endpoint, whose turn it is, and when it ends.

The endpoint belongs to the path, never to a transport session: the current protocol revision has none, and a session
of the older one is known to the episode under whose path it was opened, and to no other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import anyio
from anyio.abc import TaskStatus
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from ..episode import Episode
from ..models import CallResult, Trace, Verdict
from .mcp_server import episode_server, perform
from .pace import Pace
from .settings import GRACE_SECONDS
from .tool_results import ENDED

State = Literal["open", "submitted", "verified"]

MAX_SESSIONS: Final = 64
"""Transport sessions of the 2025 era that one episode holds; a client that leaves without a word keeps one for the
SDK's 30 minutes."""


class HostedEpisode:
    """An episode, and everything that reaches it over the network. `keep()` runs for as long as it is served."""

    def __init__(self, id: str, episode: Episode, *, idle_seconds: float, pace: Pace) -> None:
        self.id = id
        self.environment = episode.environment.id
        self.task = None if episode.task is None else episode.task.id
        self.prompt = episode.prompt()
        self.verdict: Verdict | None = None
        self._episode = episode
        self._idle_seconds = idle_seconds
        self._pace = pace
        self._tools = frozenset(tool["name"] for tool in episode.tools)
        self._turn = anyio.Lock(fast_acquire=True)
        self._closing = anyio.Event()
        self._closed = anyio.Event()
        self._idle = anyio.CancelScope()
        self._posts = 0
        self._answered = anyio.Event()
        self._sessions = StreamableHTTPSessionManager(
            episode_server(episode, caller=self._call), json_response=True, max_sessions=MAX_SESSIONS
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The MCP endpoint (ASGI), for both protocol eras. Event streams that clients hold open are no activity."""
        if scope["method"] != "POST":
            await self._sessions.handle_request(scope, receive, send)
            return
        self._posts += 1
        self.touch()
        try:
            await self._sessions.handle_request(scope, receive, send)
        finally:
            self._posts -= 1
            self.touch()
            self._answered.set()

    async def keep(self, gone: Callable[[], None], *, task_status: TaskStatus[None]) -> None:
        """Serve until closed or idle. Then call `gone` (nobody finds the episode any more), answer what has been
        asked, end the transport sessions and close the episode."""
        try:
            async with self._sessions.run():
                self.touch()
                task_status.started()
                try:
                    with self._idle:
                        await self._closing.wait()
                finally:
                    gone()
                    self._closing.set()
                    await self._drained()
        finally:
            with anyio.CancelScope(shield=True):
                async with self._turn:
                    self._episode.close()
            self._closed.set()

    async def close(self) -> None:
        """End the episode; returns when the call in progress is done and everything is let go."""
        self._closing.set()
        await self._closed.wait()

    def touch(self) -> None:
        """Somebody is interested: the idle time starts anew."""
        self._idle.deadline = anyio.current_time() + self._idle_seconds

    async def verify(self) -> Verdict:
        """The verdict. The first request verifies and thereby closes the tools; later ones read what it said."""
        async with self._turn:
            if self.verdict is None:
                self.verdict = await anyio.to_thread.run_sync(self._episode.verify)
            return self.verdict

    async def trace(self) -> Trace:
        async with self._turn:
            return await anyio.to_thread.run_sync(lambda: self._episode.trace)

    def summary(self) -> dict[str, Any]:
        """For lists: what it is of, its state, calls made, seconds until it expires (absent: never)."""
        expires = self._idle.deadline - anyio.current_time()
        return {
            "id": self.id,
            "environment": self.environment,
            "task": self.task,
            "state": self._state(),
            "calls": self._episode.calls,
            **({} if math.isinf(expires) else {"expires_in_seconds": round(max(0.0, expires), 1)}),
        }

    def _state(self) -> State:
        if self.verdict is not None:
            return "verified"
        return "open" if self._episode.submission is None else "submitted"

    async def _drained(self) -> None:
        """Wait for answers under way; a session that ends under a request leaves its client without one."""
        with anyio.move_on_after(GRACE_SECONDS, shield=True):
            while self._posts:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> CallResult:
        paced_as = f"{self.environment}/{name if name in self._tools else '?'}"
        async with self._turn:
            if self._closing.is_set():
                return self._episode.answered(ENDED)
            return await self._pace.run(paced_as, lambda: perform(self._episode, name, arguments))
