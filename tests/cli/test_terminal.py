"""The live panel, on a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from envolve.cli import main

from .conftest import SAMPLE, Cli
from .test_run_outputs import execute

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What Rich sends: colours, cursor movements, line erasures."""


def on_a_terminal(*words: object, seconds: float = 120) -> tuple[int, str]:
    """Exit code of a command and everything that it sent to its terminal."""
    master, terminal = pty.openpty()
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": "120",
        "LINES": "40",
        "PYTHONSAFEPATH": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "envolve", *map(str, words)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    )
    os.close(terminal)
    written = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.1)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # The other end is closed: the command has ended.
                break
            if not chunk:
                break
            written += chunk
    os.close(master)
    return process.wait(30), written.decode("utf-8")


def shown_here(*words: object, columns: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The same for a command within this process, which only prints."""
    master, terminal = pty.openpty()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", str(columns))
    sent = list[bytes]()
    reader = threading.Thread(target=lambda: sent.extend(_all_of(master)))
    reader.start()
    with open(terminal, "w", encoding="utf-8") as stream, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
    reader.join()
    os.close(master)
    return int(ended.value.code or 0), b"".join(sent).decode("utf-8")


def _all_of(master: int) -> Iterator[bytes]:
    """What comes until the other end is closed."""
    try:
        while chunk := os.read(master, 65536):
            yield chunk
    except OSError:
        return


def test_a_run_is_seen_live_and_nothing_else_steers_the_terminal(run_folder: Path) -> None:
    hostile = {"id": "x", "name": "Nice\x1b]0;owned\x07\x1b[2Jplace\r\u202e", "category": "", "text": "x"}
    execute(run_folder, "UPDATE environments SET scenario = ?", json.dumps(hostile))
    code, sent = on_a_terminal("run", run_folder, "--tasks", 12, "--max-time", "2s", "--jobs", 1)
    assert code == 0
    assert "\x1b[?25l" in sent, "no live display"
    for label in ("in the band", "not kept", "pass rates", "rollouts", "cost", "round", "now"):
        assert label in sent
    assert re.search(r"[█░]{30}", sent)
    assert "Pass rates on confirmed tasks" in sent
    assert "Time is up. The same command goes on from here" in sent
    plain = ESCAPES.sub("", sent)
    assert not set(plain) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "place" in plain
    assert "\x1b[2J" not in sent
    assert sent.count("\x1b[?25l") == sent.count("\x1b[?25h"), "the cursor is not given back"


def test_an_error_on_a_terminal(tmp_path: Path) -> None:
    code, sent = on_a_terminal("run", tmp_path / "run", "--target", "oracle\x1b[31m")
    assert code == 2
    assert "→" in sent
    assert "\x1b" not in sent


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", ["status", "memory", "audit"])
def test_tables_fit_and_break_no_id(
    finished: Path, command: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: dict[str, list[object]] = {
        "status": ["status", finished, "--tasks"],
        "memory": ["memory", finished, "search", "lessons"],
        "audit": ["audit", SAMPLE],
    }
    (environment,) = (finished / "environments").iterdir()
    files = environment.glob("tasks/*.yaml") if command == "status" else (SAMPLE / "tasks").glob("*.yaml")
    code, sent = shown_here(*words[command], columns=columns, monkeypatch=monkeypatch)
    assert code == 0
    lines = ESCAPES.sub("", sent).splitlines()
    tables = [line for line in lines if not line.startswith(("Tasks: ", "Not kept: "))]
    assert max(map(len, tables)) <= columns
    for name in [environment.name] if command == "memory" else [file.stem for file in files]:
        assert any(name in line for line in lines), name


def test_elsewhere_a_row_is_a_line(cli: Cli, finished: Path) -> None:
    out = cli("memory", finished, "search", "lessons", "-n", 3).out
    rows = [line for line in out.splitlines() if re.search(r" 0\.\d\d ", line)]
    assert len(rows) >= 4
    assert max(map(len, rows)) <= 130
