"""The machine refuses: full disk, read-only folder, locked store, another version. Nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from envolve.cli.failures import describe
from envolve.environments.errors import EnvolveError, InputError, PackageError, ServiceError, WorldError
from envolve.memory.store import RunLock

from .conftest import Cli, envolve, files_up_to, without_privilege
from .test_run_outputs import execute


def counts(folder: Path) -> dict[str, int]:
    connection = sqlite3.connect(folder / "run.db")
    tables = ("tasks", "environments", "measurements", "rollouts")
    found = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.close()
    return found


def test_a_full_disk_when_a_run_begins(cli: Cli, tmp_path: Path) -> None:
    with files_up_to(20_000):
        done = cli("run", tmp_path / "run", "--scenario", "A bakery")
    done.refused(3, str(tmp_path / "run"))
    assert not (tmp_path / "run" / "run.db").exists()


@pytest.mark.slow
def test_a_full_disk_in_a_run_loses_nothing(cli: Cli, run_folder: Path) -> None:
    before = counts(run_folder)
    size = (run_folder / "run.db").stat().st_size
    with files_up_to(size // 8):
        done = envolve("run", run_folder, "--tasks", 9, "--jobs", 1, "--json")
    done.refused(3, ".db", "disk")
    assert not done.out
    assert counts(run_folder) == before
    assert cli("status", run_folder, "--json").json["tasks"]["confirmed"] >= 2


def test_a_full_disk_for_a_package(cli: Cli, tmp_path: Path) -> None:
    with files_up_to(2000):
        done = cli("new", "A bakery", "-o", tmp_path, "--tasks", 0)
    done.refused(3, str(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.fixture
def closed(finished: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the run in which nothing may be written."""
    folder = tmp_path / "closed"
    shutil.copytree(finished, folder)
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path, mode in modes.items():
        path.chmod(mode)


def test_a_folder_that_cannot_be_written(cli: Cli, closed: Path) -> None:
    with without_privilege():
        cli("run", closed).refused(3, str(closed))
        cli("run", closed / "deeper").refused(3, "deeper")
        cli("report", closed).refused(3, "report.html")
        assert cli("status", closed, "--json").json["state"] == "done"


def test_a_folder_that_is_in_use(cli: Cli, run_folder: Path) -> None:
    with RunLock(run_folder):
        cli("run", run_folder).refused(3, str(run_folder), str(os.getpid()))
        cli("memory", run_folder, "rebuild").refused(3, str(run_folder))
        assert cli("status", run_folder, "--json").code == 0
        assert cli("report", run_folder, "--json").code == 0


@pytest.mark.parametrize("command", ["status", "report"])
def test_a_store_of_another_version(cli: Cli, run_folder: Path, command: str) -> None:
    execute(run_folder, "UPDATE alembic_version SET version_num = '9999'")
    cli(command, run_folder).refused(2, "9999", "version")


def test_a_config_of_another_version(cli: Cli, run_folder: Path) -> None:
    path = run_folder / "config.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("format: 1", "format: 7"), encoding="utf-8")
    cli("run", run_folder).refused(2, "format 7")


def test_a_damaged_store(cli: Cli, run_folder: Path) -> None:
    (run_folder / "run.db").write_bytes(b"not a database" * 1000)
    cli("status", run_folder).refused(3, "run.db", "damaged")


@pytest.mark.parametrize(
    ("error", "code", "word"),
    [
        (InputError("what", remedy="do"), 2, "do"),
        (PackageError("what", file="tools.yaml"), 2, "schema tools"),
        (ServiceError("what", remedy="do"), 3, "do"),
        (WorldError("what", remedy="do"), 3, "do"),
        (EnvolveError("what", remedy="do"), 2, "do"),
        (OSError(28, "No space left", "run.db"), 3, "Free some space"),
        (PermissionError(13, "denied", "run.db"), 3, "permissions"),
        (FileNotFoundError(2, "none", "x"), 2, "path"),
        (IsADirectoryError(21, "Is a directory", "x"), 2, "path"),
        (MemoryError(), 3, "--jobs"),
        (sqlite3.OperationalError("database is locked"), 3, "--debug"),
        (ExceptionGroup("several", [InputError("what", remedy="do")]), 2, "do"),
        (KeyError("x"), 3, "--debug"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_error_has_a_code_and_a_remedy(error: BaseException, code: int, word: str) -> None:
    failure = describe(error)
    assert failure.code == code
    assert word in failure.remedy
