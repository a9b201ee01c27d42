"""A run's folder never surprises: other options are told, with the command that resumes and the one that starts anew."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from envolve.cli.run import DEFAULT_RUN

from .conftest import SCENARIO, Cli


@pytest.fixture
def default(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder whose default run was started with options of its own."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, tmp_path / DEFAULT_RUN)
    return tmp_path


@pytest.mark.usefixtures("default")
def test_the_default_run_of_other_options(cli: Cli, seed: int) -> None:
    done = cli("run", "--scenario", "A bakery", "--seed", 3, "--solver", "null", "--solver", "slip:2")
    done.refused(2, f"{DEFAULT_RUN} holds a run of other options", "'A bakery'", f"seed {seed}, now 3")
    lines = done.err.splitlines()
    assert len(lines) == 3
    assert all(len(line) < 220 for line in lines)
    assert lines[1] == f"  → Resume it: envolve run {DEFAULT_RUN}"
    started = lines[2].partition("Start another: ")[2]
    assert started == f"envolve run {DEFAULT_RUN}-2 --scenario 'A bakery' --solver null --solver slip:2 --seed 3"
    assert not Path(shlex.split(started)[2]).exists()


@pytest.mark.usefixtures("default")
def test_what_both_commands_say_works(cli: Cli) -> None:
    resumed = cli("run", DEFAULT_RUN)
    assert resumed.code == 0, resumed.err
    assert "Target reached" in resumed.out
    Path(f"{DEFAULT_RUN}-2").mkdir()
    assert f"envolve run {DEFAULT_RUN}-3 --seed 4" in cli("run", "--seed", 4).err


def test_a_named_run_of_other_options(cli: Cli, run_folder: Path) -> None:
    before = (run_folder / "config.yaml").read_bytes()
    cli("run", run_folder, "--band", "0.3:0.7").refused(2, "band 0.2:0.6, now 0.3:0.7", "Start another: envolve run")
    assert (run_folder / "config.yaml").read_bytes() == before


def test_the_same_options_in_other_words_are_no_difference(cli: Cli, run_folder: Path, seed: int) -> None:
    done = cli("run", run_folder, "--target", "slip:1.0", "--scenario", SCENARIO, "--seed", seed)
    assert done.code == 0, done.err
