"""A worker that is killed, as by a system without memory, ends its bench at once, with what to do about it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from envolve.bench.side_by_side import side_by_side
from envolve.graph.executors import WorkerDied

from .conftest import Cli

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are looked for in /proc")


def test_no_job_is_waited_for_once_a_worker_was_killed() -> None:
    started = time.monotonic()
    with pytest.raises(WorkerDied, match="killed"):
        list(side_by_side([partial(time.sleep, 600), partial(signal.raise_signal, signal.SIGKILL)], 2))
    assert time.monotonic() - started < 60


def test_what_was_worked_out_before_is_given() -> None:
    jobs: list[Callable[[], object]] = [partial(int, "7"), partial(signal.raise_signal, signal.SIGKILL)]
    results = side_by_side(jobs, 1)
    assert next(results) == (0, 7)
    with pytest.raises(WorkerDied):
        next(results)


def test_a_bench_of_worlds_says_that_a_worker_was_killed() -> None:
    command = [
        sys.executable,
        "-m",
        "envolve",
        "bench",
        "worlds",
        "--n",
        "99",
        "--jobs",
        "2",
        "--size",
        "tiny",
        "--quick",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as bench:
        assert bench.stderr is not None
        # Both are at their next worlds.
        assert bench.stderr.readline().startswith("1 of 99: ")
        os.kill(workers(bench.pid)[0], signal.SIGKILL)
        killed = time.monotonic()
        out, told = bench.communicate(timeout=60)
    assert time.monotonic() - killed < 20
    assert bench.returncode == 3
    assert not out
    assert "envolve: A worker process was killed" in told
    assert "memory" in told
    assert "--jobs 1" in told
    assert "fault in Envolve" not in told
    assert "Traceback" not in told


def test_a_critic_that_ends_its_process_when_it_is_loaded_is_to_blame(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    done = cli("bench", "critics", "--critic", "gone:critic", "--environments", 1)
    done.refused(3, "'gone:critic'", "ended its process")


def workers(parent: int) -> list[int]:
    """The processes that work for another."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            asked = int(status.read_text().rpartition(")")[2].split()[1]) == parent
            spawned = b"spawn_main" in (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if asked and spawned:
            found.append(int(status.parent.name))
    return found
