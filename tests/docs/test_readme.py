"""The README cannot lie: its blocks are executed, its commands and links exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from envolve.cli.app import app
from envolve.options import run_config

from .commands import commands_of
from .session import README, ROOT, blocks, commands, execute, normalized, prepare

TEXT = README.read_text(encoding="utf-8")
INLINE = re.findall(r"`(envolve [^`\n]+)`", TEXT)
GROUP = typer.main.get_group(app)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a clone has, in which the console blocks are executed in order."""
    folder = tmp_path_factory.mktemp("clone")
    prepare(folder)
    return folder


def test_console_blocks_print_what_they_say(clone: Path) -> None:
    session = [command for block in blocks(TEXT, "console") for command in commands(block.text)]
    assert session
    for command in session:
        assert normalized(execute(command.line, clone)) == normalized(command.output), command.line


def test_python_blocks_run(clone: Path) -> None:
    source = "\n".join(block.text for block in blocks(TEXT, "python"))
    assert source
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source], cwd=clone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    printed = re.findall(r"^print\(.*\)  # (.*)$", source, re.MULTILINE)
    assert normalized(done.stdout) == normalized("\n".join(printed))


def test_every_command_is_documented() -> None:
    for name in commands_of(GROUP):
        assert re.search(rf"`envolve {name}\b", TEXT), name


@pytest.mark.parametrize("line", INLINE)
def test_commands_in_the_text_exist_with_their_options(line: str) -> None:
    words = shlex.split(line.replace("[", "").replace("]", "").replace("…", ""))[1:]
    command = GROUP.commands[words[0]]
    if isinstance(command, TyperGroup):
        command = command.commands[words[1]]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "--debug"}
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= known


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"^make (\w+)", TEXT, re.MULTILINE)) <= targets
    assert {"run", "test"} <= set(re.findall(r"^make (\w+)", TEXT, re.MULTILINE))


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_links_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_first_screen_says_what_it_is_and_how_to_begin() -> None:
    first = TEXT.splitlines()[:14]
    assert any("make run" in line for line in first)
    assert any("make test" in line for line in first)


def test_the_changelog_begins_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_licence_is_the_one_that_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")[:200]


def test_architecture_names_every_folder() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for folder in ("agents/", "graph/", "memory/", "environments/", "eval/", "src/envolve/", "tests/"):
        assert f"`{folder}`" in text
    for path in re.findall(r"`((?:agents|graph|memory|environments|eval|src|tests)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_yaml_blocks_are_options_of_a_run(tmp_path: Path) -> None:
    texts = [block.text for block in blocks(TEXT, "yaml")]
    assert texts
    for text in texts:
        (tmp_path / "options.yaml").write_text(text, encoding="utf-8")
        run_config(tmp_path / "run", {}, texts=[], file=tmp_path / "options.yaml")
