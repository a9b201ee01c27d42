"""`envolve serve`: an environment for any MCP client."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import print_json, warn

if TYPE_CHECKING:
    from envolve.environments.serving import Endpoints, ServiceSettings


def serve(
    path: Annotated[Path, typer.Argument(readable=False, metavar="ENV", help="An environment package.")],
    task: Annotated[
        str | None, typer.Option(metavar="TASK", help="Open this task's episode (default: a free world).")
    ] = None,
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak MCP on standard input and output.")] = False,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Where to listen; anything but loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="Port of the agents' surface.")] = 8750,
    control_port: Annotated[
        int | None, typer.Option(metavar="PORT", help="Port of the control surface (default: the next one).")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN", envvar="ENVOLVE_TOKEN", help="Bearer token of the agents' surface.", show_envvar=True
        ),
    ] = None,
    control_token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            envvar="ENVOLVE_CONTROL_TOKEN",
            help="Bearer token of the control surface.",
            show_envvar=True,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the world's codes.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the addresses as one JSON object on standard output.")
    ] = False,
) -> None:
    """Serve an environment over MCP: stdio, or streamable HTTP with a control port for episodes and verdicts."""
    from envolve.environments.errors import InputError
    from envolve.environments.serving import serve_http, serve_stdio
    from envolve.packages import load_one

    from .frozen import warn_of_edits

    environment = load_one(path, task, again="envolve serve {env}" + (" --task {task}" if task else ""))
    warn_of_edits(path, environment, task)
    if stdio and as_json:
        raise InputError("--stdio leaves no room for --json.", remedy="Standard output carries the protocol there.")
    if stdio:
        serve_stdio(environment, task=task, seed=seed)
        return
    settings = _settings(host=host, port=port, control_port=control_port, token=token, control_token=control_token)
    announce = _announce_json if as_json else _announce
    serve_http(environment, task=task, seed=seed, settings=settings, announce=announce)


def _settings(**given: Any) -> ServiceSettings:
    """Errors: InputError naming the option, without its value (which may be a secret)."""
    from pydantic import ValidationError

    from envolve.environments.errors import InputError
    from envolve.environments.serving import ServiceSettings

    try:
        return ServiceSettings(**given)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        option = "-".join(str(part) for part in first["loc"]).replace("_", "-")
        raise InputError(
            f"{f'--{option}: ' if option else ''}{first['msg']}.", remedy="See `envolve serve --help`."
        ) from error


def _announce(endpoints: Endpoints) -> None:
    warn(endpoints.announcement())


def _announce_json(endpoints: Endpoints) -> None:
    print_json({"mcp_url": endpoints.mcp_url, **endpoints.model_dump(mode="json")})
