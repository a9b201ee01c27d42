"""Moments of a run that goes on in another process, told by what its stores hold: never by the clock."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .conftest import members

PATIENCE = 240
"""Seconds before a moment counts as never reached."""


def counted(path: Path, rows: str) -> int:
    """How many rows of a query's FROM clause there are; 0 as long as there is no such table."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=10)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def wait_until(process: subprocess.Popen[str], reached: Callable[[], bool]) -> None:
    """Until a moment of the run has come; it must not end before."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL; nothing of the run is left behind."""
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert_nothing_is_left(process.pid)


def assert_nothing_is_left(group: int) -> None:
    """Whatever belonged to the run's process group ends with it, within seconds."""
    deadline = time.monotonic() + 10
    while members(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(group) == [], "workers were left behind"
