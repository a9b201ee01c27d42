"""What a user got wrong is told with option, place and remedy, before there is a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from envolve.environments.errors import InputError
from envolve.options import run_config, seconds

from .conftest import SAMPLE, Cli

FILES = {
    "not YAML": ("environments: [1\n", ["options.yaml:2", "is not YAML"]),
    "no mapping": ("- 1\n", ["options.yaml", "mapping"]),
    "a wrong type": ("seed: 1\nenvironments: many\n", ["options.yaml:2", "'environments'", "'many'"]),
    "an unknown option": ("environment: 3\n", ["options.yaml:1", "'environment'", "Did you mean 'environments'?"]),
    "aliases": ("a: &a [1, 1]\nb: *a\n", ["options.yaml:1", "aliases"]),
    "a wrong band": ("band: 2:3\n", ["options.yaml:1", "Band 2:3"]),
    "a wrong time": ("max-time: soon\n", ["options.yaml:1", "soon"]),
    "a wrong part of the team": ("team: {critics: 4}\n", ["options.yaml:1", "critics"]),
    "an unknown solver": ("target: oracle\n", ["options.yaml:1", "oracle", "slip:ABILITY"]),
    "another format": ("format: 2\n", ["format 2", "format 1"]),
    "scenarios of no list": ("scenarios: 5\n", ["options.yaml:1", "scenarios"]),
    "a scenario that says nothing": ("scenarios: ['?!']\n", ["options.yaml:1", "scenario 1", "says nothing"]),
}

OPTIONS = {
    "solver": (["--solver", "oracle"], ["oracle", "slip:ABILITY"]),
    "module without the solver": (["--target", "os:nothing"], ["nothing"]),
    "critic": (["--critic", "grumpy"], ["grumpy", "rules"]),
    "band": (["--band", "0.5"], ["0.5", "LOW:HIGH"]),
    "narrow band": (["--band", "0.5:0.55"], ["narrower"]),
    "tasks": (["--tasks", "0"], ["tasks", "0"]),
    "jobs": (["--jobs", "-1"], ["jobs", "-1"]),
    "budget": (["--budget-usd", "-1"], ["budget-usd"]),
    "time": (["--max-time", "soon"], ["soon", "8h"]),
    "scenario": (["--scenario", " "], ["says nothing"]),
    "file": (["--config", "nowhere.yaml"], ["nowhere.yaml"]),
    "folder as a file": (["--scenarios", "."], ["folder"]),
}


@pytest.mark.parametrize("case", FILES)
def test_a_bad_config_file_is_told_with_its_line(cli: Cli, tmp_path: Path, case: str) -> None:
    text, words = FILES[case]
    (tmp_path / "options.yaml").write_text(text, encoding="utf-8")
    cli("run", tmp_path / "run", "--config", tmp_path / "options.yaml").refused(2, *words)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("case", OPTIONS)
def test_a_bad_option_is_told(cli: Cli, tmp_path: Path, case: str) -> None:
    options, words = OPTIONS[case]
    cli("run", tmp_path / "run", *options).refused(2, *words)
    assert not (tmp_path / "run").exists()


def test_a_file_of_bytes_is_no_text(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"\xff\xfe\x00")
    cli("run", tmp_path / "run", "--scenarios", tmp_path / "list.txt").refused(2, "UTF-8")
    cli("scenarios", "--seeds", tmp_path / "list.txt").refused(2, "UTF-8")


def test_an_empty_list_of_scenarios_is_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("", encoding="utf-8")
    cli("run", tmp_path / "run", "--scenarios", tmp_path / "list.yaml").refused(2, "list.yaml", "one a line")


def test_unknown_names_of_other_commands(cli: Cli) -> None:
    cli("solve", SAMPLE, "count-fridays-guests", "--solver", "oracle").refused(2, "oracle")
    cli("measure", SAMPLE, "--solver", "oracle").refused(2, "oracle")
    cli("check", SAMPLE, "--critic", "grumpy").refused(2, "grumpy")
    cli("evolve", SAMPLE, "count-fridays-guests", "--operator", "grow").refused(2, "grow", "widen")
    cli("schema", "planet").refused(2, "planet", "environment")


@pytest.mark.parametrize(
    ("script", "word"),
    [("[", "JSON"), ("[1]", "entry 1"), ('[{"call": "x", "arguments": {}}]', "entry 1"), ("[" * 100_000, "JSON")],
)
def test_a_bad_script_is_told(cli: Cli, script: str, word: str) -> None:
    cli("solve", SAMPLE, "count-fridays-guests", "--script", script).refused(2, word)


def test_options_come_from_the_command_line_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "options.yaml"
    file.write_text("seed: 5\ntasks: 4\nfault-rate: 0.5\nscenarios: [A bakery]\n", encoding="utf-8")
    config = run_config(tmp_path / "run", {"tasks": 2}, texts=["A library"], file=file)
    assert (config.seed, config.tasks, config.team.fault_rate) == (5, 2, 0.5)
    assert [scenario.text for scenario in config.scenarios] == ["A library", "A bakery"]


def test_a_kept_config_is_a_config_file(finished: Path, tmp_path: Path) -> None:
    """config.yaml of a run's folder is everything needed to repeat it."""
    again = run_config(tmp_path / "again", {}, texts=[], file=finished / "config.yaml")
    kept = run_config(finished, {}, texts=[])
    assert again == kept


def test_a_run_from_before_there_were_surfaces_goes_on_with_the_plain_one(finished: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    shutil.copytree(finished, begun)
    file = begun / "config.yaml"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.startswith("surface:")), encoding="utf-8")
    assert run_config(begun, {}, texts=[]).surface == "plain"
    assert run_config(finished, {}, texts=[]).surface == "varied"


def test_a_kept_run_keeps_what_is_not_given(finished: Path, seed: int) -> None:
    config = run_config(finished, {"tasks": 9}, texts=[])
    assert (config.seed, config.tasks, config.environments) == (seed, 9, 1)


def test_scenarios_one_a_line_with_comments(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("# mine\nA bakery\n\nA bakery\nA library\n", encoding="utf-8")
    config = run_config(tmp_path / "run", {}, texts=[], scenarios=file)
    assert [scenario.text for scenario in config.scenarios] == ["A bakery", "A library"]


@pytest.mark.parametrize(("text", "value"), [("90s", 90), ("45m", 2700), ("8h", 28800), ("1.5d", 129600), (7, 7)])
def test_times(text: str | int, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "0s", "-1h", "1w", "1e9h", "٣s", "9" * 400, "soon\x1b[31m"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(InputError, match="no time"):
        seconds(text)
