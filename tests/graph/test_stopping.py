"""The second signal ends a run at once, whatever its workers do, and costs no more than a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import SMALL, start
from .moments import assert_nothing_is_left, counted, kill, wait_until

SLOW = ("--critic", "rules", "--critic", "slow_critic:Slow")


def press_until_it_ends(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGINT)
    for _ in range(5):
        time.sleep(1.0)
        if process.poll() is not None:
            return
        os.kill(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=30)
            return
        except subprocess.TimeoutExpired:
            continue


def path_with(folder: Path) -> str:
    """PYTHONPATH with one more folder."""
    return os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(folder)])


@pytest.mark.slow
def test_the_second_signal_ends_a_run_in_the_middle_of_a_step(
    undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, slow = tmp_path / "run", tmp_path / "slow"
    slow.touch()
    monkeypatch.setenv("SLOW_WHILE", str(slow))
    monkeypatch.setenv("PYTHONPATH", path_with(Path(__file__).parent))
    process = start(folder, *SMALL, *SLOW)
    wait_until(process, slow.with_suffix(".begun").exists)
    press_until_it_ends(process)
    _, err = process.communicate(timeout=60)
    assert process.returncode > 0, "it ends by itself, in order"
    assert "Traceback" not in err
    assert_nothing_is_left(process.pid)
    asked = [sys.executable, "-m", "envolve", "status", str(folder), "--json"]
    status = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert json.loads(status.stdout)["state"] == "stopped"
    slow.unlink()
    process = start(folder, *SMALL, *SLOW)
    wait_until(process, lambda: counted(folder / "run.db", "items WHERE status = 'done'") > 0)
    kill(process)
    built, whole = ([path.name for path in (run / "environments").iterdir()] for run in (folder, undisturbed))
    assert built == whole
