"""Runs where a user points: opened for reading, or told where some are."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.environments.errors import InputError

from .naming import listed, nearest

if TYPE_CHECKING:
    from envolve.memory.store import RunStore

STORE = "run.db"
MOST_SUGGESTED = 3
"""Paths are long, and a folder may hold hundreds of runs."""


@contextmanager
def reading(folder: Path, *, again: str) -> Iterator[RunStore]:
    """The store of a run, also while the run goes. `again` is the command with `{run}`.

    Errors: InputError for a folder without a run, naming the runs nearby; ServiceError for a damaged store.
    """
    from envolve.memory.store import RunStore

    require_run(folder, again=again)
    with RunStore.open_read_only(folder) as store:
        yield store


def require_run(folder: Path, *, again: str) -> None:
    """Errors: InputError for a folder without a run."""
    if not (folder / STORE).is_file():
        raise _no_run(folder, again)


def _no_run(folder: Path, again: str) -> InputError:
    """The error for a folder that holds no run; `again` is the command with `{run}`."""
    told, runs = f"There is no run in {str(folder)!r}: it holds no {STORE}.", [str(run) for run in _runs_near(folder)]
    if not runs:
        return InputError(told, remedy="Give the folder of a run; `envolve run` makes one.")
    meant = nearest(str(folder), runs) or runs[0]
    names = listed(dict.fromkeys([meant, *runs]), MOST_SUGGESTED)
    return InputError(told, remedy=f"Runs: {names}.\nType: {again.replace('{run}', shlex.quote(meant))}")


def _runs_near(folder: Path) -> list[Path]:
    """Runs that `folder` lies in, holds, or lies beside, and those under `runs/`."""
    around = [folder.parent, folder.parent.parent]
    around += [path for place in (folder, folder.parent, Path("runs")) for path in _folders(place)]
    return [path for path in dict.fromkeys(around) if (path / STORE).is_file()]


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(path for path in place.iterdir() if path.is_dir())
    except OSError:
        return []
