"""Envolve from Python: load an environment, open episodes, run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envolve.environments.package import Environment
    from envolve.graph.config import RunConfig
    from envolve.graph.run import RunResult, Started


def load(path: str | Path) -> Environment:
    """The environment in a package folder. Errors: InputError, PackageError."""
    from envolve.environments.package import Environment

    return Environment.load(path)


def run(
    config: RunConfig,
    folder: str | Path,
    *,
    observe: Callable[[Any], None] | None = None,
    on_start: Callable[[Started], None] | None = None,
) -> RunResult:
    """What `envolve run` does: work until the target, a limit or Ctrl-C; the same call resumes.

    `observe` is told of each item that begins or ends, `on_start` gets the open store and a way to stop.
    """
    from envolve.graph.run import run as run_now

    return run_now(config, Path(folder), observe=observe or _ignore, on_start=on_start or _ignore)


def _ignore(_: Any) -> None:
    """An observer that does not care."""
