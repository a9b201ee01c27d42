"""A run that is killed or stopped goes on with the same command and comes to the same end."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import SMALL, contents, finish, start
from .moments import assert_nothing_is_left, counted, kill, wait_until

MEASURED = "items WHERE kind = 'measure' AND status = 'done'"


def kill_when(folder: Path, jobs: str, reached: Callable[[], bool]) -> None:
    """Start or go on, and kill the run at a moment."""
    process = start(folder, *SMALL, "--jobs", jobs)
    wait_until(process, reached)
    kill(process)


def test_killed_at_random_moments_it_ends_the_same(undisturbed: Path, tmp_path: Path) -> None:
    """Two workers: in the build, and among the first tasks as they are measured."""
    folder, rng = tmp_path / "run", random.Random("kills")
    store, staged, closed = folder / "run.db", rng.randint(3, 25), rng.randint(1, 8)
    kill_when(folder, "2", lambda: counted(store, "staging") >= staged)
    kill_when(folder, "2", lambda: counted(store, MEASURED) >= closed)
    status = finish(start(folder, *SMALL, "--jobs", "2"))
    assert status["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def test_what_is_compared_holds_pairs_of_refusal_and_twin(evolved: Path) -> None:
    """So there are tests that kill runs which work on such; both halves have their rollouts, index by index."""
    connection = sqlite3.connect(evolved / "run.db")
    query = (
        'SELECT (SELECT group_concat(i) FROM (SELECT r."index" AS i FROM rollouts r'
        " WHERE r.version = one.version AND r.purpose = 'measure' ORDER BY i))"
        " FROM tasks t JOIN tasks one ON one.version IN (t.version, t.twin_of)"
        " JOIN measurements m ON m.version = t.twin_of AND m.purpose = 'measure' ORDER BY t.twin_of, one.version"
    )
    indices = [row[0] for row in connection.execute(query)]
    operators = {row[0] for row in connection.execute("SELECT operator FROM tasks WHERE twin_of IS NOT NULL")}
    connection.close()
    assert indices
    assert indices[::2] == indices[1::2]
    assert operators >= {None, "refuse"}


@pytest.mark.slow
def test_whatever_ends_a_sitting_the_same_command_goes_on(undisturbed: Path, tmp_path: Path) -> None:
    """One worker: Ctrl-C drains, the time is up, a kill among the evolved tasks."""
    folder = tmp_path / "run"
    store = folder / "run.db"
    process = start(folder, *SMALL, "--jobs", "1")
    wait_until(process, lambda: counted(store, "items") > 0)
    os.kill(process.pid, signal.SIGINT)
    assert finish(process)["state"] == "stopped"
    assert_nothing_is_left(process.pid)
    assert finish(start(folder, *SMALL, "--jobs", "1", "--max-time", "1s"))["state"] == "stopped"
    kill_when(folder, "1", lambda: counted(store, "rounds WHERE number = 3") > 0)
    assert finish(start(folder, *SMALL, "--jobs", "1"))["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def in_any_order(held: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Agents' steps without their places."""
    steps = sorted((item, role, subject) for item, _, role, subject, _ in held["agent_steps"])
    return {**held, "agent_steps": steps}


@pytest.mark.slow
def test_losing_memory_and_what_was_staged_last_loses_nothing(undisturbed: Path, tmp_path: Path) -> None:
    """A power cut may keep a checkpoint and lose the staged rows that it speaks of."""
    folder = tmp_path / "run"
    kill_when(folder, "2", lambda: counted(folder / "run.db", "staging") >= 8)
    connection = sqlite3.connect(folder / "run.db")
    shutil.rmtree(folder / "memory", ignore_errors=True)
    connection.execute("DELETE FROM staging WHERE id > (SELECT count(*) FROM staging) / 2")
    connection.commit()
    connection.close()
    assert finish(start(folder, *SMALL))["state"] == "done"
    # What has to be done again is recorded where that happens, which may be later.
    assert in_any_order(contents(folder)) == in_any_order(contents(undisturbed))
