"""The command line as people use it, and one small run that many tests look at.

Commands run within this process (`cli`); as a process of their own (`envolve`) only where it is the process that is
looked at: its streams, signals and imports.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from envolve.cli import main
from envolve.memory.records import TaskRecord
from envolve.memory.store import RunStore

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"
SCENARIO = "A climbing gym where members book slots on the walls, hire gear and pay for courses."
SEEDS = range(7, 12)
"""The small run is that of the first seed with which it holds what tests look for."""
SMALL = 'size: {tables: 3, tools: 6}\nsolvers: ["null", "slip:2"]\n'
"""Options of the small run: what builds and measures least."""


@dataclass(frozen=True)
class Done:
    """What a command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object that was printed."""
        (line,) = self.out.splitlines()
        return json.loads(line)

    def refused(self, code: int, *words: str) -> None:
        """Assert a failure told to people: this code, these words, no traceback, and what to do."""
        assert self.code == code, self
        assert "Traceback" not in self.err
        assert "→" in self.err, self.err
        for word in words:
            assert word in self.err, self.err


Cli = Callable[..., Done]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """`cli("status", folder)`: a command within this process."""

    def call(*words: object) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        written = capsys.readouterr()
        return Done(int(ended.value.code or 0), written.out, written.err)

    return call


def envolve(*words: object, **options: Any) -> Done:
    """A command as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "envolve", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        **{"env": {**os.environ, "PYTHONSAFEPATH": "1"}, **options},
    )
    return Done(done.returncode, done.stdout, done.stderr)


LIBC = ctypes.CDLL(None, use_errno=True)
CAPABILITIES = 0x20080522
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2


@contextmanager
def without_privilege() -> Iterator[None]:
    """Root is not bound by permissions unless it gives that up; so does this thread, and those it starts, meanwhile."""
    header, sets = (ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
    assert LIBC.capget(header, sets) == 0
    effective = sets[0]
    sets[0] &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    assert LIBC.capset(header, sets) == 0
    try:
        yield
    finally:
        sets[0] = effective
        assert LIBC.capset(header, sets) == 0


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Files may not grow beyond `size` bytes: what a full disk or a quota does, without a disk to fill."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run that ended well, with its output in `out.txt`. For reading only.

    Test processes that run side by side share it.
    """
    shared = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else None
    base = shared or tmp_path_factory.getbasetemp()
    folder = base / "shared" / "finished"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(base / "finished.lock"):
        if not (folder / "out.txt").exists():
            (base / "small.yaml").write_text(SMALL, encoding="utf-8")
            options = ["--config", base / "small.yaml", "--environments", 1, "--tasks", 2, "--jobs", 1]
            _run_with_all(folder, options)
    return folder


def _run_with_all(folder: Path, options: list[object]) -> None:
    for seed in SEEDS:
        shutil.rmtree(folder, ignore_errors=True)
        done = envolve("run", folder, "--scenario", SCENARIO, "--seed", seed, *options)
        assert done.code == 0, done.err
        with RunStore.open_read_only(folder) as store:
            if any(map(is_plain, store.tasks.all(fate="confirmed"))) and measured_twins(store):
                (folder / "out.txt").write_text(done.out, encoding="utf-8")
                return
    raise AssertionError(f"none of the seeds {SEEDS} confirms a task that only changes something and measures a pair")


def is_plain(record: TaskRecord) -> bool:
    """It changes something, asks nothing and has no twin."""
    verifier, paired = record.task.verifier, record.twin_of or record.task.twin
    return not paired and bool(verifier.require) and verifier.answer.kind == "none"


def measured_twins(store: RunStore) -> list[TaskRecord]:
    measured = {record.version for record in store.tasks.measurements()}
    return [record for record in store.tasks.all() if record.twin_of in measured]


def confirmed(folder: Path) -> TaskRecord:
    """A plain task of the small run that was confirmed."""
    with RunStore.open_read_only(folder) as store:
        return next(filter(is_plain, store.tasks.all(fate="confirmed")))


@pytest.fixture
def seed(finished: Path) -> int:
    """The small run's."""
    return int(yaml.safe_load((finished / "config.yaml").read_text(encoding="utf-8"))["seed"])


@pytest.fixture
def run_folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of the small run, to be changed."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the hand-written sample package, to be changed."""
    folder = tmp_path / "table-booking"
    shutil.copytree(SAMPLE, folder)
    return folder
