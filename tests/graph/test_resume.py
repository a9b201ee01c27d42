"""A run that is killed or stopped goes on with the same command and comes to the same end."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import SMALL, contents, finish, members, start


def kill_after(folder: Path, seconds: float, jobs: str) -> None:
    process = start(folder, *SMALL, "--jobs", jobs)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert_nothing_is_left(process.pid)


def assert_nothing_is_left(group: int) -> None:
    """Whatever belonged to the run's process group ends with it, within seconds."""
    deadline = time.monotonic() + 10
    while members(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(group) == [], "workers were left behind"


def wait_for_work(folder: Path) -> None:
    """Until the first round is planned: from then on there is something to drain."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if (folder / "run.db").exists():
            connection = sqlite3.connect(folder / "run.db")
            try:
                if connection.execute("SELECT count(*) FROM items").fetchone()[0]:
                    return
            except sqlite3.OperationalError:
                pass
            finally:
                connection.close()
        time.sleep(0.1)
    raise AssertionError("the run did not begin")


@pytest.mark.parametrize(("jobs", "kills"), [("1", 2), ("2", 3)])
def test_killed_at_random_moments_it_ends_the_same(undisturbed: Path, tmp_path: Path, jobs: str, kills: int) -> None:
    folder = tmp_path / "run"
    rng = random.Random(f"kills {jobs}")
    for _ in range(kills):
        kill_after(folder, rng.uniform(1.0, 6.0), jobs)
    status = finish(start(folder, *SMALL, "--jobs", jobs))
    assert status["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def test_what_is_compared_holds_pairs_of_refusal_and_twin(undisturbed: Path) -> None:
    """So the tests here kill runs that work on such; both halves have their rollouts, index by index."""
    connection = sqlite3.connect(undisturbed / "run.db")
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
    assert operators == {None, "refuse"}


def test_ctrl_c_drains_and_the_same_command_goes_on(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, *SMALL)
    wait_for_work(folder)
    os.kill(process.pid, signal.SIGINT)
    status = finish(process)
    assert_nothing_is_left(process.pid)
    assert status["state"] == "stopped"
    assert finish(start(folder, *SMALL))["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def in_any_order(held: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Agents' steps without their places."""
    steps = sorted((item, role, subject) for item, _, role, subject, _ in held["agent_steps"])
    return {**held, "agent_steps": steps}


def test_losing_memory_and_what_was_staged_last_loses_nothing(undisturbed: Path, tmp_path: Path) -> None:
    """A power cut may keep a checkpoint and lose the staged rows that it speaks of."""
    folder = tmp_path / "run"
    kill_after(folder, 5.0, "2")
    connection = sqlite3.connect(folder / "run.db")
    shutil.rmtree(folder / "memory", ignore_errors=True)
    connection.execute("DELETE FROM staging WHERE id > (SELECT count(*) FROM staging) / 2")
    connection.commit()
    connection.close()
    assert finish(start(folder, *SMALL))["state"] == "done"
    # What has to be done again is recorded where that happens, which may be later.
    assert in_any_order(contents(folder)) == in_any_order(contents(undisturbed))
