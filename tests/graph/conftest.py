"""Runs as real processes, and what is left of them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from envolve.environments.package import Environment
from envolve.graph.round_memory import RoundMemory
from envolve.memory import embedder_named
from envolve.memory.index import MemoryIndex
from envolve.memory.librarian import Librarian
from envolve.memory.records import TaskRecord
from envolve.memory.store import RunLock, RunStore

from .evolving import plan_evolution
from .open_run import Run, is_plain

Start = Callable[..., "subprocess.Popen[str]"]

SCENARIO = "A climbing gym where members book slots on the walls, hire gear and pay for courses."
SIZE = ("--config", str(Path(__file__).with_name("small.yaml")))
SEED = 11
SMALL = (
    *SIZE,
    "--scenario",
    SCENARIO,
    "--environments",
    "1",
    "--tasks",
    "1",
    "--solver",
    "slip:0",
    "--seed",
    str(SEED),
    "--json",
)

COMPARED = {
    "environments": "id, hash, fate, reason, tables, tools, rows",
    "tasks": "version, id, environment, stage, fate, reason, parent, operator, generation, root, twin_of",
    "measurements": "version, profile, purpose, passes, n, excluded, decision",
    "rollouts": 'version, profile, purpose, "index", outcome, reward, calls',
    "audits": "version, grade",
    "effects": "operator, parent, child, parent_passes, parent_n, child_passes, child_n",
    "findings": 'environment, kind, "where", confirmed, fix',
    "items": "key, status, fate, reason",
    "agent_steps": 'item, "index", role, subject, findings',
}
"""What an interrupted run must have in common with an undisturbed one: everything but times."""


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    """`envolve run` as a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "envolve", "run", str(folder), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for a run and return its status object."""
    out, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    status: dict[str, Any] = json.loads(out.splitlines()[-1])
    return status


def contents(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The compared columns of every table, and the task files."""
    connection = sqlite3.connect(folder / "run.db")
    try:
        found = {
            table: sorted(connection.execute(f"SELECT {columns} FROM {table}"), key=repr)
            for table, columns in COMPARED.items()
        }
    finally:
        connection.close()
    files = sorted(path.relative_to(folder) for path in (folder / "environments").rglob("*.yaml"))
    found["files"] = [(str(path), (folder / path).read_text(encoding="utf-8")) for path in files]
    return found


def members(group: int) -> list[int]:
    """Living processes of a process group (zombies aside)."""
    found = list[int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    assert finish(start(folder, *SMALL, "--jobs", "2"))["state"] == "done"
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[Run]:
    with RunLock(folder) as lock, RunStore.open(folder) as store, MemoryIndex(store, lock) as index:
        memory = RoundMemory(Librarian(store, embedder_named(), search=index), index)
        environment = Environment.load(next((folder / "environments").iterdir()))
        yield Run(store, folder, memory, environment)


@pytest.fixture(scope="session")
def evolving(undisturbed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with an open round, in which tasks are evolved and a pair is measured."""
    folder = tmp_path_factory.mktemp("evolving") / "run"
    shutil.copytree(undisturbed, folder)
    with opened(folder) as run:
        plan_evolution(run, SEED)
    return folder


@pytest.fixture(scope="session")
def evolved(evolving: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that run after that round, which nothing disturbed."""
    folder = tmp_path_factory.mktemp("evolved") / "run"
    shutil.copytree(evolving, folder)
    assert finish(start(folder, *SMALL, "--jobs", "2"))["state"] == "done"
    return folder


@pytest.fixture
def run(undisturbed: Path, tmp_path: Path) -> Iterator[Run]:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    with opened(folder) as run:
        yield run


@pytest.fixture
def stood(run: Run) -> TaskRecord:
    """A confirmed task that changes something and has no twin, by hand where the run confirmed no such one."""
    plain = [record for record in run.store.tasks.all() if is_plain(record)]
    found = next((record for record in plain if record.fate == "confirmed"), None)
    return found or run.confirmed(40, plain[0])
