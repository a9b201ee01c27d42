"""Sockets, and the web server on them."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import anyio
import uvicorn
from starlette.types import ASGIApp

from ..errors import ServiceError
from .settings import GRACE_SECONDS

BACKLOG: Final = 1024


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket bound to `host` and `port` (0: any free one). Raises ServiceError saying what is in the way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's algorithm only on sockets that say they are TCP; with it
    # on, each answer waits 40 ms for the client's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ServiceError(f"Cannot listen on {host}:{port}: {_reason(error)}.", remedy=_remedy(error)) from error
    return listener


def address(host: str, listener: socket.socket) -> str:
    """The URL of a bound socket, under a name that clients on this machine can use."""
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{listener.getsockname()[1]}"


@asynccontextmanager
async def listening(app: ASGIApp, listener: socket.socket) -> AsyncIterator[uvicorn.Server]:
    """Serve `app` on `listener`, from when the body is entered until it is left and requests have finished."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        backlog=BACKLOG,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not (server.started or serving.done()):
            await asyncio.sleep(0.001)
        if serving.done():
            serving.result()
        yield server
    finally:
        server.should_exit = True
        with anyio.CancelScope(shield=True):
            await serving


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the service."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _reason(error: OSError) -> str:
    reasons = {
        errno.EADDRINUSE: "the port is in use",
        errno.EACCES: "no permission",
        errno.EADDRNOTAVAIL: "this machine has no such address",
    }
    return reasons.get(error.errno or 0, error.strerror or str(error))


def _remedy(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "Stop what listens there, choose another port, or 0 for any free one."
    if error.errno == errno.EACCES:
        return "Choose a port above 1023."
    return "Choose an address of this machine, such as 127.0.0.1."
