"""The HTTP app that opens, verifies and closes episodes. It has a port and a token of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from mcp.server.transport_security import RequestBodyLimitMiddleware
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ..errors import EnvolveError, InputError, ServiceError
from ..models import Task
from .access import AccessMiddleware
from .episode_host import EpisodeHost
from .episode_requests import EpisodeRequest
from .hosted_episode import HostedEpisode
from .responses import MAX_CONTROL_BODY, control_error, told


def control_app(
    host: EpisodeHost, *, mcp_url: Callable[[HostedEpisode], str], hosts: Iterable[str], token: str
) -> ASGIApp:
    """The control routes behind the access checks. `mcp_url` says where agents find an episode.

    | route                        | answers                                        |
    |------------------------------|------------------------------------------------|
    | POST /episodes               | 201: `id`, `mcp_url`, `prompt`, …              |
    | GET /episodes                | `episodes`: summaries                          |
    | GET /episodes/{id}/trace     | the trace so far                               |
    | POST /episodes/{id}/verify   | the verdict; ends the episode for its agent    |
    | DELETE /episodes/{id}        | 204                                            |
    | GET /tasks                   | `tasks`: environment, id, instruction, …       |
    | GET /health                  | `status`, `episodes`                           |

    Errors are `{"error": {"message", "remedy"}}` with 400, 401, 404, 409 or 503.
    """
    control = _Control(host, mcp_url)
    routes = [
        Route("/episodes", control.open, methods=["POST"]),
        Route("/episodes", control.list, methods=["GET"]),
        Route("/episodes/{id}", control.close, methods=["DELETE"]),
        Route("/episodes/{id}/trace", control.trace, methods=["GET"]),
        Route("/episodes/{id}/verify", control.verify, methods=["POST"]),
        Route("/tasks", control.tasks, methods=["GET"]),
        Route("/health", control.health, methods=["GET"]),
    ]
    app = Starlette(routes=routes, exception_handlers=_HANDLERS)
    return AccessMiddleware(
        RequestBodyLimitMiddleware(app, MAX_CONTROL_BODY), hosts=hosts, token=token, refuse=control_error
    )


class _Control:
    """The routes' handlers."""

    def __init__(self, host: EpisodeHost, mcp_url: Callable[[HostedEpisode], str]) -> None:
        self._host = host
        self._mcp_url = mcp_url

    async def open(self, request: Request) -> Response:
        hosted = await self._host.open(_parsed(await request.body()))
        return JSONResponse(
            {**hosted.summary(), "mcp_url": self._mcp_url(hosted), "prompt": hosted.prompt}, status_code=201
        )

    async def list(self, _request: Request) -> Response:
        return JSONResponse({"episodes": self._host.summaries()})

    async def trace(self, request: Request) -> Response:
        trace = await self._episode(request).trace()
        return Response(trace.model_dump_json(), media_type="application/json")

    async def verify(self, request: Request) -> Response:
        hosted = self._episode(request)
        if hosted.task is None:
            return control_error("A free world has no task to verify.", 409, "Open an episode of a task.")
        verdict = await hosted.verify()
        return Response(verdict.model_dump_json(), media_type="application/json")

    async def close(self, request: Request) -> Response:
        await self._episode(request).close()
        return Response(status_code=204)

    async def tasks(self, _request: Request) -> Response:
        environments = self._host.environments
        tasks = [_task(id, task) for id in sorted(environments) for task in environments[id].tasks.values()]
        return JSONResponse({"tasks": tasks})

    async def health(self, _request: Request) -> Response:
        return JSONResponse({"status": "ok", "episodes": len(self._host)})

    def _episode(self, request: Request) -> HostedEpisode:
        hosted = self._host.find(request.path_params["id"])
        if hosted is None:
            raise HTTPException(404, "No such episode; it may have been closed, or expired.")
        hosted.touch()
        return hosted


def _parsed(body: bytes) -> EpisodeRequest:
    try:
        return EpisodeRequest.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise InputError(
            f"{where}: {first['msg']}.", remedy="Send a JSON object of environment, task, actor and seed."
        ) from error


def _task(environment: str, task: Task) -> dict[str, Any]:
    return {
        "environment": environment,
        "id": task.id,
        "instruction": task.instruction,
        "actor": task.actor.model_dump(mode="json"),
        "split": task.lineage.split,
    }


def _failed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, EnvolveError)
    if isinstance(error, InputError):
        return told(error, 400)
    return told(error, 503 if isinstance(error, ServiceError) else 500)


def _no_such_route(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return control_error(error.detail, error.status_code)


def _broken(_request: Request, _error: Exception) -> Response:
    return control_error("The service failed; its log says where.", 500)


_HANDLERS: Mapping[Any, Callable[[Request, Exception], Response]] = MappingProxyType(
    {EnvolveError: _failed, HTTPException: _no_such_route, Exception: _broken}
)
