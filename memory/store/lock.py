"""One process owns a run's folder. The lock is the operating system's: it ends with its holder, however that ends."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from ...environments.errors import ServiceError

_FILE = "run.lock"
_PATIENCE = 0.3
"""Seconds to wait for the lock: more than it takes somebody to look whether it is held."""


class RunLock:
    """`with RunLock(folder): …`. Held by one process at a time; not reentrant across processes.

    Errors: ServiceError naming the holder's process id, or that the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._owner = folder / "run.owner"
        self._lock = FileLock(folder / _FILE, timeout=_PATIENCE, fallback_to_soft=False, thread_local=False)

    @staticmethod
    def is_live(folder: Path) -> bool:
        """Whether a process holds the lock of `folder` now. (False too where that cannot be found out.)"""
        path = folder / _FILE
        if not path.exists():
            return False
        try:
            with FileLock(path, blocking=False, fallback_to_soft=False):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._lock.is_locked

    def acquire(self) -> RunLock:
        try:
            self._lock.acquire()
        except Timeout as error:
            raise ServiceError(
                f"{self.folder} is in use by {self._holder()}.",
                remedy="Wait for it or stop it; `envolve status` and `envolve report` work meanwhile.",
            ) from error
        except OSError as error:
            raise ServiceError(
                f"{self.folder} cannot be locked: {error.strerror or error}.",
                remedy="Make the run's folder writable.",
            ) from error
        self._write_owner()
        return self

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> RunLock:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _write_owner(self) -> None:
        # A hint for people only: who holds the lock is never decided by this file.
        try:
            self._owner.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}), encoding="utf-8")
        except OSError as error:
            self._lock.release()
            raise ServiceError(f"{self._owner}: {error.strerror}.", remedy="Free some space.") from error

    def _holder(self) -> str:
        try:
            owner = json.loads(self._owner.read_text(encoding="utf-8"))
            return f"process {int(owner['pid'])} on {owner['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"
