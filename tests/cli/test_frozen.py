"""A frozen verifier that was changed by hand is noticed wherever it is used."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from envolve.environments.package import Environment
from envolve.environments.writing import task_files, write_beside
from envolve.eval.audit import audit, freeze

from .conftest import Cli, confirmed, envolve

TASK = "move-the-anniversary-dinner"
NOTICED = f"the verifier of {TASK} was changed after the audit froze it"


@pytest.fixture
def frozen(package: Path) -> Path:
    """The sample with one verifier frozen, its file."""
    environment = Environment.load(package)
    task = environment.tasks[TASK]
    write_beside(package, task_files([freeze(task, audit(environment, task))]))
    return package / "tasks" / f"{TASK}.yaml"


@pytest.fixture
def changed(frozen: Path) -> Path:
    """The package, after somebody changed it."""
    text = frozen.read_text(encoding="utf-8")
    assert "party_size = 6" in text
    frozen.write_text(text.replace("SELECT party_size = 6", "SELECT party_size >= 6"), encoding="utf-8")
    return frozen.parent.parent


def test_what_is_as_it_was_frozen_is_used_without_a_word(frozen: Path, cli: Cli) -> None:
    assert "frozen: sha256:" in frozen.read_text(encoding="utf-8")
    assert cli("solve", frozen.parent.parent, TASK, "--solver", "gold").err == ""


def test_solving_measuring_and_auditing_tell_of_it(changed: Path, cli: Cli) -> None:
    solved = cli("solve", changed, TASK, "--solver", "gold", "--json")
    assert NOTICED in solved.err
    assert f"envolve audit {changed}" in solved.err
    assert solved.json["results"][0]["passes"] == 1, "standard output is as it is without"
    assert NOTICED in cli("audit", changed).err
    assert NOTICED in cli("measure", changed, "--solver", "null").err
    assert cli("solve", changed, "count-fridays-guests", "--solver", "gold").err == "", "another task's"


def test_serving_tells_of_it(changed: Path) -> None:
    served = envolve("serve", changed, "--task", TASK, "--stdio", stdin=subprocess.DEVNULL)
    assert NOTICED in served.err
    assert served.out == ""


def test_a_run_that_goes_on_tells_that_it_goes_on_with_its_own(run_folder: Path, cli: Cli) -> None:
    record = confirmed(run_folder)
    path = run_folder / "environments" / record.environment / "tasks" / f"{record.id}.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("  - name:") or "- {name:" in line)
    lines[first] = lines[first].replace("name: ", "name: renamed ").replace("renamed '", "'renamed ")
    path.write_text("".join(lines), encoding="utf-8")
    done = cli("run", run_folder, "--json")
    assert done.code == 0, done.err
    assert f"the verifier of {record.id} was changed by hand; the run goes on with what it has stored" in done.err
    assert f"envolve regrade {run_folder}" in done.err
