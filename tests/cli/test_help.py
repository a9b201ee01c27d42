"""Help is there for everything, and comes at once."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer
from typer.core import TyperGroup

from envolve.cli.app import app

from ..docs.commands import commands_of
from .conftest import Cli

HEAVY = (
    "langgraph",
    "chromadb",
    "mcp",
    "scipy",
    "hypothesis",
    "sqlglot",
    "apsw",
    "numpy",
    "pydantic",
    "asyncio",
    "rich",
)
GROUP = typer.main.get_group(app)
COMMANDS = commands_of(GROUP)
LISTING = """
import json, sys
from envolve.cli import main
try:
    main(["--help"])
except SystemExit:
    sys.stderr.write(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_the_light_path_imports_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    assert not set(json.loads(done.stderr)) & set(HEAVY)
    assert "run" in done.stdout


def test_help_takes_less_than_four_tenths_of_a_second() -> None:
    """Of processor time, so that other work on the machine does not count."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    seconds = list[float]()
    for _ in range(5):
        before = spent()
        subprocess.run([sys.executable, "-m", "envolve", "--help"], capture_output=True, check=True)
        seconds.append(spent() - before)
    assert statistics.median(seconds) <= 0.4


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(cli: Cli, command: str) -> None:
    done = cli(*command.split(), "--help")
    assert done.code == 0
    assert "--json" in done.out
    usage, *text = done.out.splitlines()
    assert usage.startswith(f"Usage: envolve {command}")
    assert text[1].strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained(command: str) -> None:
    *groups, name = command.split()
    found = GROUP
    for group in groups:
        inner = found.commands[group]
        assert isinstance(inner, TyperGroup)
        found = inner
    for parameter in found.commands[name].params:
        assert getattr(parameter, "help", None), parameter.name


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("--version").out == f"envolve {version('envolve')}\n"


def test_without_a_command_help_is_shown(cli: Cli) -> None:
    done = cli()
    assert done.code == 2
    assert "Commands:" in done.out + done.err
