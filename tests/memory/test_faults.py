"""Whatever happens to the machine, what was committed is there, whole, and the error says what to do."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from envolve.environments.errors import ServiceError
from envolve.memory import RunStore

WORKER = Path(__file__).with_name("worker.py")
ITEMS, TASKS, ROLLOUTS = 40, 3, 4  # as in worker.py


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(WORKER), str(folder), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_after(worker: subprocess.Popen[str], lines: int, seconds: float) -> list[str]:
    """All that the worker said until it was killed, `seconds` after its line number `lines`."""
    assert worker.stdout is not None
    assert worker.stderr is not None
    with worker, worker.stdout, worker.stderr:
        said = [worker.stdout.readline().strip() for _ in range(lines)]
        time.sleep(seconds)
        os.kill(worker.pid, signal.SIGKILL)
        said += [line.strip() for line in worker.stdout.read().splitlines()]
    return said


def check(store: RunStore, said: list[str]) -> int:
    """Everything that was said to be kept is kept, and no item is there by half; how many are done."""
    environments = {record.id for record in store.environments.all()}
    tallies = {tally.version: tally.n for tally in store.rollouts.tallies()}
    tasks = {record.version for record in store.tasks.all()}
    done = 0
    for item in store.work.items():
        number = int(item.key[1:])
        whole = item.status == "done"
        done += whole
        assert (f"e{number}" in environments) == whole
        for place in range(TASKS):
            version = f"e{number}-t{place}"
            assert (version in tasks) == whole
            assert tallies.get(version, 0) == (ROLLOUTS if whole else 0)
        assert item.tokens == (TASKS * ROLLOUTS if whole else 0)
        staged = {row.index for row in store.staging.all(item.key)}
        assert not (whole and staged)
        claimed = {line.split()[2] for line in said if line.startswith(f"staged {item.key} ")}
        assert whole or claimed <= staged
        assert whole or f"committed {item.key}" not in said
    return done


def test_kills_lose_nothing_and_half_commit_nothing(tmp_path: Path) -> None:
    draw = random.Random(5)
    RunStore.create(tmp_path, {}).close()
    said, done = list[str](), 0
    for _ in range(5):
        said += kill_after(start(tmp_path), draw.randint(1, 60), draw.uniform(0, 0.02))
        with RunStore.open_read_only(tmp_path) as store:
            reached = check(store, said)
        assert reached >= done
        done = reached
    assert 0 < done < ITEMS
    finish(start(tmp_path))
    with RunStore.open(tmp_path) as store:
        assert check(store, said) == ITEMS
        with closing(sqlite3.connect(tmp_path / "run.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(said) == len(set(said)), "something was paid for twice"


def finish(worker: subprocess.Popen[str]) -> list[str]:
    out, errors = worker.communicate(timeout=60)
    assert worker.returncode == 0, errors
    return out.splitlines()


def test_a_full_disk_is_named_and_the_run_goes_on_later(tmp_path: Path) -> None:
    RunStore.create(tmp_path, {}).close()
    said = finish(start(tmp_path, "--limit-file", "300000"))
    assert "the disk refused to read or write" in said[-2] or "the disk is full" in said[-2]
    assert "run the same command again" in said[-2]
    committed = sum(line.startswith("committed") for line in said)
    assert said[-1] == f"readable: {committed}"
    with RunStore.open_read_only(tmp_path) as store:
        assert check(store, said) == committed
    assert finish(start(tmp_path))[-1] == "finished"


def may_mount() -> bool:
    probe = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return shutil.which("unshare") is not None and subprocess.run(probe, capture_output=True).returncode == 0


def test_a_disk_without_space_is_named(tmp_path: Path) -> None:
    """A file system of one megabyte where one may be mounted; else a limit in SQLite itself gives the same error."""
    if may_mount():
        RunStore.create(tmp_path / "new", {}).close()
        disk, work = tmp_path / "disk", f"{sys.executable} {WORKER}"
        disk.mkdir()
        script = (
            f"mount -t tmpfs -o size=1m tmpfs {disk} && cp {tmp_path}/new/run.db {disk}"
            f" && {work} {disk} && {work} {disk} --last 1"
        )
        run = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        lines = run.stdout.splitlines()
        refused = next(line for line in lines if line.startswith("refused"))
        committed = sum(line.startswith("committed") for line in lines)
        assert f"readable: {committed}" in lines
        assert lines[-1] == "finished", "the store opens again, and what is done is not done again"
    else:
        refused = refused_by_page_limit(tmp_path)
    assert "the disk is full" in refused
    assert "Free some space" in refused


def refused_by_page_limit(folder: Path) -> str:
    with RunStore.create(folder, {}) as store:
        with store._database.begin("read") as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(ServiceError) as refused:
            store.update(config={"x": "y" * 100_000})
        return str(refused.value)


def without_override() -> None:
    """Before exec: root obeys file permissions like everyone else (its capability to override them is dropped)."""
    cap_dac_override, drop_from_bounding_set = 1, 24
    if os.geteuid() == 0 and ctypes.CDLL(None, use_errno=True).prctl(
        drop_from_bounding_set, cap_dac_override, 0, 0, 0
    ):
        raise OSError(ctypes.get_errno(), "capability not dropped")


OPEN = """
import sys
from pathlib import Path
from envolve.environments.errors import EnvolveError
from envolve.memory import RunLock, RunStore
folder = Path(sys.argv[1])
with RunStore.open_read_only(folder) as store:
    sys.stdout.write(f"read {len(store.environments.all())}\\n")
for attempt in (lambda: RunLock(folder).acquire(), lambda: RunStore.open(folder).update(state="done"),
                lambda: RunStore.create(folder / "new", {})):
    try:
        attempt()
    except EnvolveError as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\\n")
"""


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Path]:
    """A folder that becomes writable again at the end."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


@pytest.mark.parametrize("killed", [False, True])
def test_a_read_only_folder_is_read_and_refused_for_writing(tmp_path: Path, sealed: Path, killed: bool) -> None:
    RunStore.create(tmp_path, {}).close()
    said = kill_after(start(tmp_path), 30, 0) if killed else finish(start(tmp_path, "--last", "2"))
    committed = sum(line.startswith("committed") for line in said)
    names = ("run.db", "run.db-wal")
    assert (tmp_path / "run.db-wal").exists() == killed
    for name in names:
        if (tmp_path / name).exists():
            shutil.copyfile(tmp_path / name, sealed / name)
            (sealed / name).chmod(0o444)
    sealed.chmod(0o555)
    command = [sys.executable, "-c", OPEN, str(sealed)]
    run = subprocess.run(command, preexec_fn=without_override, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    read, locking, writing, creating = run.stdout.splitlines()
    # A commit may have reached the disk without being said.
    assert int(read.split()[1]) in range(committed, committed + 1 + killed)
    for line in (locking, writing, creating):
        assert line.startswith("ServiceError"), run.stdout
    assert "writable" in locking
    assert "read-only" in writing or "cannot be opened" in writing


def test_a_locked_store_is_named(store: RunStore, folder: Path) -> None:
    other = RunStore.open(folder, busy_seconds=0.05)
    with closing(sqlite3.connect(folder / "run.db")) as holder, closing(other):
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(ServiceError, match="another process holds the database") as refused:
            other.update(state="done")
        assert "run the same command again" in refused.value.remedy
        assert other.info().state == "running"
        holder.rollback()
        other.update(state="done")


@pytest.mark.parametrize("opening", [RunStore.open, RunStore.open_read_only])
@pytest.mark.parametrize("damage", [b"garbage" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000, b"x"])
def test_a_damaged_store_is_named(tmp_path: Path, opening: Callable[[Path], RunStore], damage: bytes) -> None:
    (tmp_path / "run.db").write_bytes(damage)
    with pytest.raises(ServiceError, match="damaged") as refused:
        opening(tmp_path)
    assert "backup" in refused.value.remedy


def test_damage_in_the_middle_leaves_the_rest_readable(tmp_path: Path) -> None:
    RunStore.create(tmp_path, {}).close()
    finish(start(tmp_path, "--last", "30"))
    path = tmp_path / "run.db"
    with closing(sqlite3.connect(path)) as connection:
        statement = "SELECT rootpage FROM sqlite_master WHERE name = 'rollouts'"
        root = connection.execute(statement).fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with RunStore.open(tmp_path) as store:
        with pytest.raises(ServiceError, match="damaged"):
            list(store.rollouts.iterate())
        assert len(store.environments.all()) == 30
