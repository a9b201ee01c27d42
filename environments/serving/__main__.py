"""Serve one package, without the rest of Envolve: `python -m envolve.environments.serving PACKAGE [--stdio]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import EnvolveError, InputError
from ..package import Environment
from .serve import serve_http, serve_stdio
from .service import Endpoints
from .settings import ServiceSettings


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0 when told to stop, 2 for unusable input, 3 for a service error."""
    options = _parser().parse_args(arguments)
    try:
        environment = Environment.load(options.package)
        if options.task is not None and options.task not in environment.tasks:
            raise InputError(f"{environment.id} has no task {options.task!r}.")
        if options.stdio:
            serve_stdio(environment, task=options.task)
        else:
            settings = ServiceSettings(host=options.host, port=options.port, control_port=options.control_port)
            serve_http(environment, task=options.task, settings=settings, announce=_announce)
    except EnvolveError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m envolve.environments.serving", description="Serve over MCP.")
    parser.add_argument("package", type=Path)
    parser.add_argument("--task")
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8750)
    parser.add_argument("--control-port", type=int)
    return parser


def _announce(endpoints: Endpoints) -> None:
    sys.stderr.write(f"{endpoints.announcement()}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
