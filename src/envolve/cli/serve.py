"""`envolve serve`: an environment for any MCP client."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from envolve.environments.serving import Endpoints


def serve(
    path: Annotated[Path, typer.Argument(metavar="ENV", help="An environment package.")],
    task: Annotated[str | None, typer.Option(help="Open this task's episode (default: a free world).")] = None,
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak MCP on standard input and output.")] = False,
    host: Annotated[str, typer.Option(help="Where to listen; anything but loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the agents' surface.")] = 8750,
    control_port: Annotated[
        int | None, typer.Option(help="Port of the control surface (default: the next one).")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="ENVOLVE_TOKEN", help="Bearer token of the agents' surface.", show_envvar=True),
    ] = None,
    control_token: Annotated[
        str | None,
        typer.Option(envvar="ENVOLVE_CONTROL_TOKEN", help="Bearer token of the control surface.", show_envvar=True),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the world's codes.")] = 0,
) -> None:
    """Serve an environment over MCP: stdio, or streamable HTTP with a control port for episodes and verdicts."""
    from pydantic import ValidationError

    from envolve.environments.errors import InputError
    from envolve.environments.package import Environment
    from envolve.environments.serving import ServiceSettings, serve_http, serve_stdio

    environment = Environment.load(path)
    environment.task(task)
    if stdio:
        serve_stdio(environment, task=task, seed=seed)
        return
    try:
        settings = ServiceSettings(
            host=host, port=port, control_port=control_port, token=token, control_token=control_token
        )
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "settings"
        raise InputError(
            f"--{where.replace('_', '-')}: {first['msg']}.", remedy="See `envolve serve --help`."
        ) from error
    serve_http(environment, task=task, seed=seed, settings=settings, announce=_announce)


def _announce(endpoints: Endpoints) -> None:
    sys.stderr.write(f"{endpoints.announcement()}\n")
    sys.stderr.flush()
