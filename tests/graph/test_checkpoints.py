"""checkpoints.db holds nothing that run.db does not: whatever happened to it, the run goes on."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from envolve.graph.checkpoints import checkpoints
from envolve.memory.notices import Notice

from .conftest import SMALL, contents, finish, start
from .moments import counted, kill, wait_until

FILE = "checkpoints.db"


def fold(path: Path) -> None:
    """Take the WAL in: it could mend what is damaged."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


def garbage(path: Path) -> None:
    fold(path)
    path.write_bytes(b"not a database" * 1000)


def cut_off(path: Path) -> None:
    fold(path)
    os.truncate(path, path.stat().st_size // 2)


def other_tables(path: Path) -> None:
    fold(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE checkpoints (surprise TEXT)")
    connection.close()


def unreadable_values(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE checkpoints SET checkpoint = x'c1c1c1'")
    connection.commit()
    connection.close()


def last_step_unfinished(path: Path) -> None:
    """As a kill leaves it between a node's results and the checkpoint that takes them in."""
    connection = sqlite3.connect(path)
    connection.execute(
        "DELETE FROM checkpoints WHERE checkpoint_id IN (SELECT max(checkpoint_id) FROM checkpoints GROUP BY thread_id)"
    )
    connection.commit()
    connection.close()


SILENT = {unreadable_values, last_step_unfinished}
"""What the run goes on from without a word."""


@pytest.fixture(scope="module")
def killed(evolving: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was killed while it evolved tasks, in the middle of an item."""
    folder = tmp_path_factory.mktemp("killed") / "run"
    shutil.copytree(evolving, folder)
    process = start(folder, *SMALL, "--jobs", "2")
    wait_until(process, lambda: counted(folder / FILE, "checkpoints WHERE thread_id LIKE '%/evolve/%'") >= 2)
    kill(process)
    return folder


@pytest.mark.parametrize("damage", [garbage, cut_off, other_tables])
def test_a_damaged_file_is_put_aside(killed: Path, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    folder = tmp_path / "run"
    shutil.copytree(killed, folder)
    damage(folder / FILE)
    told: list[Notice] = []

    async def held() -> list[str]:
        async with checkpoints(folder, notify=told.append) as saver:
            return [point.config["configurable"]["thread_id"] async for point in saver.alist(None)]

    assert asyncio.run(held()) == []
    assert FILE in str(told[0])
    assert (folder / f"{FILE}.damaged").exists()


@pytest.mark.parametrize(
    "damage",
    [
        garbage,
        pytest.param(last_step_unfinished, marks=pytest.mark.slow),
        pytest.param(unreadable_values, marks=pytest.mark.slow),
    ],
)
def test_a_damaged_file_is_no_obstacle(
    killed: Path, evolved: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(killed, folder)
    damage(folder / FILE)
    process = start(folder, *SMALL)
    _, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    told = [line for line in err.splitlines() if FILE in line]
    assert len(told) == (0 if damage in SILENT else 1), err
    assert contents(folder) == contents(evolved)


def test_threads_that_a_kill_left_of_closed_items_are_forgotten(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    connection = sqlite3.connect(folder / "run.db")
    ((key,),) = connection.execute("SELECT key FROM items LIMIT 1").fetchall()
    connection.close()
    connection = sqlite3.connect(folder / FILE)
    for thread in (key, f"{key}#1", "r0099/build/nothing-that-is-planned"):
        connection.execute("INSERT INTO checkpoints (thread_id, checkpoint_id) VALUES (?, '1')", (thread,))
        connection.execute(
            "INSERT INTO writes (thread_id, checkpoint_id, task_id, idx, channel) VALUES (?, '1', 't', 0, 'c')",
            (thread,),
        )
    connection.commit()
    connection.close()
    finish(start(folder, "--json"))
    connection = sqlite3.connect(folder / FILE)
    left = connection.execute("SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes").fetchall()
    connection.close()
    assert left == []


def test_first_tasks_leave_no_states_for_a_repeated_node_to_find(tmp_path: Path) -> None:
    """What they were paid for is staged; a state of theirs would be merged into that of the next try."""
    folder = tmp_path / "run"
    process = start(folder, *SMALL, "--jobs", "2")
    wait_until(process, lambda: counted(folder / "run.db", "staging WHERE \"index\" LIKE 'prove:%'") >= 3)
    kill(process)
    assert counted(folder / FILE, "checkpoints WHERE checkpoint_ns = ''")
    assert counted(folder / FILE, "checkpoints WHERE checkpoint_ns <> ''") == 0
