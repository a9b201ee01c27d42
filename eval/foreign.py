"""The boundary to code that is somebody's own: a solver, critic, judge or attacker that was given by name.

Whatever such code raises, `sys.exit` included, becomes one error that names it, so that it is neither taken for a fault
of Envolve nor ends the command. It runs in this process: nothing here confines it.
"""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ..environments.errors import EnvolveError
from .errors import ForeignError, LimitReached


@contextmanager
def foreign(what: str, name: str, error: type[ForeignError] = ForeignError) -> Iterator[None]:
    """Around each call of foreign code: `what` it is ("attacker") and its `name`. Raises `error` for what it raises;
    errors meant for people, a solver's own limit and Ctrl-C pass."""
    try:
        yield
    except (EnvolveError, LimitReached):
        raise
    # Anybody's code raises anything.
    except (Exception, SystemExit) as raised:
        raise error(
            f"The {what} {name!r} failed: {raised_at(raised)}.",
            remedy=f"This is an error in the {what}; --debug shows the traceback.",
        ) from raised


def raised_as(error: BaseException) -> str:
    """What was raised, in words: `ValueError: no rows`."""
    if isinstance(error, SystemExit):
        return f"it called sys.exit({error.code!r})"
    return f"{type(error).__name__}: {error}".removesuffix(": ").removesuffix(".")


def raised_at(error: BaseException) -> str:
    """What was raised and where in the user's code: `ValueError: no rows, at mine.py:12`."""
    return f"{raised_as(error)}{_place(error)}"


def _place(error: BaseException) -> str:
    """The innermost line of the user's own, or else of an installed package; "" where only Envolve's code ran, as where
    a function was called with arguments that it does not take."""
    frames = [(frame.f_code.co_filename, line) for frame, line in _foreign_frames(error)]
    own = [place for place in frames if not _is_installed(place[0])] or frames
    return f", at {Path(own[-1][0]).name}:{own[-1][1]}" if own else ""


def _foreign_frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """Frames that are not of Envolve's own modules, outermost first, with their lines."""
    package = f"{__name__.partition('.')[0]}."
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not str(frame.f_globals.get("__name__", "")).startswith(package):
            yield frame, line


def _is_installed(file: str) -> bool:
    folders = {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in folders)
