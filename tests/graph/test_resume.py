"""A run that is killed or stopped goes on with the same command and comes to the same end."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from .conftest import SMALL, contents, finish, members, start


def kill_after(folder: Path, seconds: float, jobs: str) -> None:
    process = start(folder, *SMALL, "--jobs", jobs)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    deadline = time.monotonic() + 5
    while members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(process.pid) == [], "workers were left behind"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_at_random_moments_it_ends_the_same(undisturbed: Path, tmp_path: Path, jobs: str) -> None:
    folder = tmp_path / "run"
    rng = random.Random(f"kills {jobs}")
    for _ in range(4):
        kill_after(folder, rng.uniform(1.0, 6.0), jobs)
    status = finish(start(folder, *SMALL, "--jobs", jobs))
    assert status["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def test_ctrl_c_drains_and_the_same_command_goes_on(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, *SMALL)
    time.sleep(5)
    os.kill(process.pid, signal.SIGINT)
    status = finish(process)
    assert members(process.pid) == []
    assert status["state"] in {"stopped", "done"}
    assert finish(start(folder, *SMALL))["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def test_losing_checkpoints_and_memory_loses_nothing(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    kill_after(folder, 5.0, "2")
    for lost in ("checkpoints.db", "checkpoints.db-wal", "checkpoints.db-shm"):
        (folder / lost).unlink(missing_ok=True)
    assert finish(start(folder, *SMALL))["state"] == "done"
    assert contents(folder) == contents(undisturbed)
