"""One process owns a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from envolve.environments.errors import ServiceError
from envolve.memory import RunLock

HOLD = """
import sys, time
from pathlib import Path
from envolve.memory import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_who_holds_it_and_a_kill_frees_it(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder, holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(ServiceError) as refused:
            RunLock(tmp_path).acquire()
        assert f"process {holder.pid}" in refused.value.message
        assert RunLock.is_live(tmp_path)
        assert "Wait for it or stop it" in refused.value.remedy
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        assert not RunLock.is_live(tmp_path)
        with RunLock(tmp_path) as lock:
            assert lock.held


def test_it_is_released_at_the_end(tmp_path: Path) -> None:
    assert not RunLock.is_live(tmp_path)
    with RunLock(tmp_path) as lock, pytest.raises(ServiceError, match=f"process {os.getpid()}"):
        RunLock(tmp_path).acquire()
    assert not lock.held
    with RunLock(tmp_path):
        pass


def test_a_damaged_hint_does_not_hide_the_lock(tmp_path: Path) -> None:
    with RunLock(tmp_path):
        (tmp_path / "run.owner").write_text("[", encoding="utf-8")
        with pytest.raises(ServiceError, match="another process"):
            RunLock(tmp_path).acquire()
    with pytest.raises(ServiceError, match="cannot be locked"):
        RunLock(tmp_path / "run.owner" / "x").acquire()
