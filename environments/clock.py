"""The world's own time, also inside SQLite.

A VFS answers `datetime('now')` and CURRENT_TIMESTAMP with the time of the world that the calling thread is
working on. It opens no file: worlds live in memory, and so does, up to a limit, what a large sort spills.
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from functools import cache

import apsw

from .scratch import Scratch, Spilled

VFS_NAME = "envolve-world"
_JULIAN_EPOCH_MS = 210_866_760_000_000
"""Milliseconds from noon of 24 November 4714 BC, where SQLite starts to count, to 1970."""
_EPOCH = datetime(1970, 1, 1)
_SECOND = timedelta(seconds=1)


class _Here(threading.local):
    """Each thread has its own."""

    def __init__(self) -> None:
        self.julian_ms = _JULIAN_EPOCH_MS
        self.spilled = Spilled()


class WorldVFS(apsw.VFS):
    """Time comes from `here`, which each thread sets before it runs SQL; files cannot be opened."""

    def __init__(self) -> None:
        super().__init__(VFS_NAME, "")
        self.here = _Here()

    def xCurrentTimeInt64(self) -> int:
        return self.here.julian_ms

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        if name is not None:
            raise apsw.CantOpenError("worlds have no files")
        flags[1] = flags[0]
        return Scratch(self.here.spilled)


@cache
def world_vfs() -> WorldVFS:
    """The VFS, registered on first use; one a process, since SQLite names are the process's."""
    return WorldVFS()


class WorldClock:
    """A world's time: starts at the package's clock and moves one second with each successful write."""

    __slots__ = ("_here", "_julian_ms", "_moment", "now", "seconds", "start")

    def __init__(self, start: str, seconds: int = 0) -> None:
        self.start = start
        self.seconds = seconds
        self._here = world_vfs().here
        self._moment = datetime.fromisoformat(start) + timedelta(seconds=seconds)
        self._julian_ms = (self._moment - _EPOCH) // timedelta(milliseconds=1) + _JULIAN_EPOCH_MS
        self.now = self._moment.isoformat(sep=" ")

    @property
    def today(self) -> str:
        return self.now[:10]

    def tick(self) -> None:
        """Move on by one second."""
        self.seconds += 1
        self._moment += _SECOND
        self._julian_ms += 1000
        self.now = self._moment.isoformat(sep=" ")

    def enter(self) -> None:
        """Make this the time that SQLite sees on the calling thread."""
        self._here.julian_ms = self._julian_ms
