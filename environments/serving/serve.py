"""The two ways to serve an environment until told to stop; the command line calls these."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable

import anyio
import uvicorn

from ..limits import Limits
from ..models import Actor
from ..package import Environment
from .episode_requests import EpisodeRequest
from .service import Endpoints, EnvironmentService
from .settings import ServiceSettings
from .stdio import run_stdio


def serve_http(
    environments: Environment | Iterable[Environment],
    *,
    announce: Callable[[Endpoints], None],
    task: str | None = None,
    actor: Actor | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    settings: ServiceSettings | None = None,
) -> None:
    """Serve over HTTP until SIGINT or SIGTERM. `announce` is told where, once requests are taken.

    `task`, `actor` and `seed` say what the plain `/mcp` path shows. Raises InputError, ServiceError (port in use).
    """
    served = [environments] if isinstance(environments, Environment) else list(environments)
    first = served[0].id if served else None
    standing = EpisodeRequest(environment=first, task=task, actor=actor, seed=seed)
    service = EnvironmentService(served, settings, standing=standing, limits=limits)
    loop = uvicorn.Config("", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(_until_signalled(service, announce))


def serve_stdio(
    environment: Environment,
    *,
    task: str | None = None,
    actor: Actor | None = None,
    seed: int = 0,
    limits: Limits | None = None,
) -> None:
    """Serve one episode on the standard streams until stdin ends.

    SIGINT ends the process at once: the thread that waits for stdin cannot be woken, and a world in memory leaves
    nothing to clean up.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        asyncio.run(run_stdio(environment, task, actor=actor, seed=seed, limits=limits))
    finally:
        signal.signal(signal.SIGINT, before)


async def _until_signalled(service: EnvironmentService, announce: Callable[[Endpoints], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with service.running() as endpoints:
            announce(endpoints)
            async for _ in signals:
                break
