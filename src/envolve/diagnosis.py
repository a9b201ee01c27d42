"""Is everything in place? What `envolve doctor` asks."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

LEAST_SPACE = 500_000_000


class Diagnosis(NamedTuple):
    name: str
    ok: bool
    found: str
    remedy: str = ""


def diagnose(folder: Path) -> list[Diagnosis]:
    """One line a thing that Envolve needs; `folder` is where runs are to be kept."""
    checks: list[tuple[str, Callable[[], Diagnosis]]] = [
        ("python", _python),
        ("worlds", _worlds),
        ("run store", _store),
        ("embedder", _embedder),
        ("index", _index),
        ("mcp", _mcp),
        ("workers", _workers),
        ("scenarios", _scenarios),
        ("disk", lambda: _disk(folder)),
    ]
    return [_asked(name, check) for name, check in checks]


def _asked(name: str, check: Callable[[], Diagnosis]) -> Diagnosis:
    try:
        return check()
    except Exception as error:
        return Diagnosis(
            name, False, f"{type(error).__name__}: {error}", "Install Envolve with its pinned dependencies."
        )


def _python() -> Diagnosis:
    return Diagnosis("python", sys.version_info >= (3, 11), platform.python_version(), "Use Python 3.11 or later.")


def _worlds() -> Diagnosis:
    import apsw

    connection = apsw.Connection(":memory:")
    apsw.Session(connection, "main")
    connection.close()
    return Diagnosis("worlds", True, f"APSW {apsw.apsw_version()} with change recording")


def _store() -> Diagnosis:
    return Diagnosis("run store", sqlite3.sqlite_version_info >= (3, 35), f"SQLite {sqlite3.sqlite_version}")


def _embedder() -> Diagnosis:
    from envolve.memory import Notice, embedder_named

    notices = list[Notice]()
    embedder = embedder_named(notify=notices.append)
    embedder.embed(["a booking", "a reservation"])
    remedy = notices[0].remedy if notices else ""
    return Diagnosis("embedder", not notices, f"{embedder.name}, {embedder.dimension} dimensions", remedy)


def _index() -> Diagnosis:
    import chromadb

    return Diagnosis("index", True, f"Chroma {chromadb.__version__}")


def _mcp() -> Diagnosis:
    from importlib.metadata import version

    return Diagnosis("mcp", True, f"MCP SDK {version('mcp')}")


def _workers() -> Diagnosis:
    done = subprocess.run(
        [sys.executable, "-c", "import envolve.graph.executors"], capture_output=True, text=True, check=False
    )
    return Diagnosis("workers", done.returncode == 0, f"{os.cpu_count()} cores", done.stderr.strip()[-200:])


def _scenarios() -> Diagnosis:
    from envolve.agents.scenarios import shipped_scenarios

    found = shipped_scenarios()
    return Diagnosis("scenarios", len(found) >= 100, f"{len(found)} shipped")


def _disk(folder: Path) -> Diagnosis:
    free = shutil.disk_usage(folder).free
    with tempfile.TemporaryFile(dir=folder):
        pass
    return Diagnosis("disk", free > LEAST_SPACE, f"{free / 1e9:.1f} GB free, writable", "Free some space.")
