"""Is everything in place? What `envolve doctor` asks."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from envolve.environments.errors import EnvolveError, InputError

if TYPE_CHECKING:
    from envolve.agents.llm import ModelSettings
    from envolve.agents.llm.pricing import Price

LEAST_SPACE = 500_000_000
LEAST_PYTHON = (3, 11)
LEAST_SQLITE = (3, 35)
LEAST_SCENARIOS = 100

_REINSTALL = "Install Envolve with its pinned dependencies: make run."


class Diagnosis(NamedTuple):
    """`remedy` is empty where all is well."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


def configured_models(run: Path | None, file: Path | None, given: Sequence[str]) -> ModelNames:
    """The models of a run, of a file of its options, and those given, each once, with the settings of roles.

    Errors: InputError for a run or a file that cannot be read.
    """
    from envolve.graph.run import kept_config
    from envolve.options import run_config

    names, settings = list(given), None
    if run is not None:
        kept = kept_config(run)
        if kept is None:
            raise InputError(f"{run} holds no run.", remedy="Give the folder of a run, or leave it out.")
        names, settings = [*kept.models, *names], kept.team.model_settings
    if file is not None:
        config = run_config(Path("runs") / "none", {}, texts=[], file=file)
        names, settings = [*config.models, *names], config.team.model_settings
    return ModelNames(tuple(dict.fromkeys(names)), settings)


class ModelNames(NamedTuple):
    """Models to ask, and how (None: as usual)."""

    names: tuple[str, ...] = ()
    settings: ModelSettings | None = None


def diagnose(folder: Path, models: ModelNames | None = None) -> list[Diagnosis]:
    """One line a thing that Envolve needs; `folder` is where runs are to be kept; `models` are asked."""
    checks: dict[str, Callable[[], Diagnosis]] = {
        "python": _python,
        "worlds": _worlds,
        "run store": _store,
        "embedder": _embedder,
        "index": _index,
        "mcp": _mcp,
        "workers": _workers,
        "scenarios": _scenarios,
        "disk": lambda: _disk(folder),
    }
    if models is not None:
        checks |= {f"model {name}": partial(_model, name, models.settings) for name in models.names}
    return [_asked(name, check) for name, check in checks.items()]


def _model(name: str, settings: ModelSettings | None) -> Diagnosis:
    """One tiny call for JSON and one for a tool. A solver's options may follow the model's name."""
    import asyncio

    from envolve.agents.llm.pricing import price_of
    from envolve.agents.llm.probing import probe
    from envolve.agents.solvers.llm import asked_model

    model, settings = asked_model(name, settings)
    problems = asyncio.run(probe(model, settings))
    title = f"model {name}"
    if problems:
        told = "; ".join(problem.message.rstrip(".") for problem in problems)
        return Diagnosis(title, False, told, " ".join(dict.fromkeys(problem.remedy for problem in problems)))
    price = price_of(model)
    cost = price.source if price and price.is_free else _rates(price)
    return Diagnosis(title, True, f"answers with JSON and calls tools; {cost}")


def _rates(price: Price | None) -> str:
    if price is None:
        return "its price is not known (ENVOLVE_PRICES can name a file of prices)"
    return f"${price.input:g} and ${price.output:g} per million tokens in and out"


def _asked(name: str, check: Callable[[], Diagnosis]) -> Diagnosis:
    try:
        return check()
    except EnvolveError as error:
        return Diagnosis(name, False, error.message, error.remedy or _REINSTALL)
    except OSError as error:
        return Diagnosis(name, False, str(error), "Choose another --folder, or mend this one.")
    except Exception as error:
        # Whatever is broken is what was asked for: it becomes an answer.
        return Diagnosis(name, False, f"{type(error).__name__}: {error}", _REINSTALL)


def _judged(name: str, ok: bool, found: str, remedy: str = _REINSTALL) -> Diagnosis:
    return Diagnosis(name, ok, found, "" if ok else remedy)


def _python() -> Diagnosis:
    return _judged("python", sys.version_info >= LEAST_PYTHON, platform.python_version(), "Use Python 3.11 or later.")


def _worlds() -> Diagnosis:
    import apsw

    connection = apsw.Connection(":memory:")
    apsw.Session(connection, "main")
    connection.close()
    return _judged("worlds", True, f"APSW {apsw.apsw_version()} with change recording")


def _store() -> Diagnosis:
    import sqlite3

    ok = sqlite3.sqlite_version_info >= LEAST_SQLITE
    return _judged("run store", ok, f"SQLite {sqlite3.sqlite_version}", "Use a Python with SQLite 3.35 or later.")


def _embedder() -> Diagnosis:
    from envolve.memory import Notice, embedder_named

    notices = list[Notice]()
    embedder = embedder_named(notify=notices.append)
    embedder.embed(["a booking", "a reservation"])
    remedy = notices[0].remedy if notices else ""
    return _judged("embedder", not notices, f"{embedder.name}, {embedder.dimension} dimensions", remedy)


def _index() -> Diagnosis:
    import chromadb

    return _judged("index", True, f"Chroma {chromadb.__version__}")


def _mcp() -> Diagnosis:
    from importlib.metadata import version

    return _judged("mcp", True, f"MCP SDK {version('mcp')}")


def _workers() -> Diagnosis:
    """Workers are new processes of this Python: they must find Envolve."""
    command = [sys.executable, "-c", "import envolve.graph.executors"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = (done.stderr.strip().splitlines() or [""])[-1]
    return _judged("workers", done.returncode == 0, f"{os.cpu_count()} cores", f"{last}. {_REINSTALL}")


def _scenarios() -> Diagnosis:
    from envolve.agents.scenarios import shipped_scenarios

    found = len(shipped_scenarios())
    return _judged("scenarios", found >= LEAST_SCENARIOS, f"{found} shipped")


def _disk(folder: Path) -> Diagnosis:
    free = shutil.disk_usage(folder).free
    with tempfile.TemporaryFile(dir=folder):
        pass
    return _judged("disk", free > LEAST_SPACE, f"{free / 1e9:.1f} GB free, writable", "Free some space.")
