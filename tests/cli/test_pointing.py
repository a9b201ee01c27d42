"""A user points at the wrong thing: what is there is told, with the command to type."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from envolve.environments.package import Environment
from envolve.eval.units import units

from .conftest import SAMPLE, Cli, Done
from .test_run_outputs import a_task

COUNT = "count-fridays-guests"


def retyped(cli: Cli, refused: Done) -> Done:
    """What the command does that a refusal tells to type."""
    line = next(line for line in refused.err.splitlines() if "Type: " in line)
    program, *words = shlex.split(line.partition("Type: ")[2])
    assert program == "envolve"
    return cli(*words)


def test_a_run_instead_of_an_environment(cli: Cli, finished: Path) -> None:
    (environment,) = (finished / "environments").iterdir()
    for task in (a_task(finished), a_task(finished)[:-1], "x"):
        done = cli("solve", finished, task, "--solver", "gold")
        done.refused(2, "is a run", environment.name)
        assert "1 of 1 passed" in retyped(cli, done).out
    cli("serve", finished).refused(2, f"Type: envolve serve {environment}")
    cli("evolve", finished, "x", "--operator", "widen").refused(2, "is a run", "--operator widen")


def test_a_task_that_is_not_there(cli: Cli) -> None:
    done = cli("solve", SAMPLE, "count-friday", "--solver", "gold")
    done.refused(2, "'count-friday'", COUNT, "move-the-anniversary-dinner")
    assert "1 of 1 passed" in retyped(cli, done).out
    cli("evolve", SAMPLE, "count", "--operator", "widen").refused(2, f"{COUNT} --operator widen")
    cli("serve", SAMPLE, "--task", "friday-guests").refused(2, f"--task {COUNT}")


def test_a_name_that_is_nearly_a_package(cli: Cli, package: Path) -> None:
    for command in (["check"], ["audit"], ["measure", "--solver", "gold"], ["solve", COUNT, "--solver", "gold"]):
        name, *rest = command
        cli(name, package.parent / "table-bok", *rest).refused(2, f"Did you mean {package}?")


def test_a_folder_of_nothing(cli: Cli, tmp_path: Path) -> None:
    cli("solve", tmp_path, COUNT, "--solver", "gold").refused(2, str(tmp_path), "environment.yaml")
    cli("serve", tmp_path / "nowhere").refused(2, "nowhere", "envolve new")


def test_names_that_a_shell_would_split_are_quoted(cli: Cli, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my run"
    shutil.copytree(finished, folder)
    done = cli("solve", folder, "x", "--solver", "gold")
    assert "1 of 1 passed" in retyped(cli, done).out


@pytest.mark.parametrize(
    "words",
    [["status"], ["report"], ["lineage", "x"], ["memory", "search", "x"], ["memory", "rebuild"]],
    ids=" ".join,
)
def test_an_environment_instead_of_a_run(cli: Cli, run_folder: Path, words: list[str]) -> None:
    (environment,) = (run_folder / "environments").iterdir()
    name, *rest = words
    for wrong in (environment, run_folder / "environments", run_folder.parent, run_folder.parent / "rnu"):
        cli(name, wrong, *rest).refused(2, f"envolve {name} {run_folder}")


def test_a_task_written_by_hand_cannot_be_evolved(cli: Cli) -> None:
    cli("evolve", SAMPLE, COUNT, "--operator", "widen").refused(2, "written by hand", "envolve new")


def test_an_operator_that_finds_nothing_names_those_that_do(cli: Cli, finished: Path) -> None:
    (environment,) = (finished / "environments").iterdir()
    tasks = Environment.load(environment).tasks.values()
    alone = (unit.task for unit in units(tasks) if unit.twin is None)
    asked = next(
        task for task in alone if not task.lineage.generation
    )  # Nobody put rows in that could be cleared away.
    done = cli("evolve", environment, asked.id, "--operator", "clear")
    done.refused(2, "clear finds nothing", "paraphrase")
