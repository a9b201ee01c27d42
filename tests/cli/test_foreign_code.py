"""Attackers, judges, solvers and critics of a user's own that fail: told as theirs, with their name and a remedy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import SAMPLE, Cli

MOVE = "move-the-anniversary-dinner"
THEIRS = """
import sys

from envolve.eval import SolverProfile
from envolve.eval.audit.attacks import Attempt


class Attacker:
    name = "mine"

    def attempts(self, environment, task, *, budget, seed):
        yield from self.tried()


class AttackRaises(Attacker):
    def tried(self):
        raise RuntimeError("boom")


class AttackExits(Attacker):
    def tried(self):
        sys.exit(0)


class AttackYieldsText(Attacker):
    def tried(self):
        return ["nonsense"]


class AttackYieldsNone(Attacker):
    def tried(self):
        return [None]


class AttackYieldsTextSteps(Attacker):
    def tried(self):
        return [Attempt("typo", ("submit",))]


class AttackReturnsNone(Attacker):
    def attempts(self, environment, task, *, budget, seed):
        return None


class AttackTakesNothing(Attacker):
    def attempts(self):
        return ()


class AttackNameless(Attacker):
    name = None


class AttackNameFails(Attacker):
    @property
    def name(self):
        raise ValueError("no name")


class NeedsArguments:
    name = "mine"

    def __init__(self, needed):
        pass


class Exiting:
    def __init__(self):
        sys.exit(0)


def fails(given):
    raise RuntimeError("boom")


async def leaves(given):
    sys.exit(0)


class Solver:
    profile = SolverProfile(name="mine", kind="custom")

    async def solve(self, episode):
        raise RuntimeError("boom")


class SolverExits(Solver):
    async def solve(self, episode):
        sys.exit(0)


class SolverTakesNothing(Solver):
    async def solve(self):
        pass


class SolverFailsOnce(Solver):
    async def solve(self, episode):
        if "anniversary" in episode.prompt():
            raise RuntimeError("boom")
        episode.submit(status="done")


class SolverNotAsync(Solver):
    def solve(self, episode):
        pass


class SolverProfileless(Solver):
    profile = None


class SolverProfileFails(Solver):
    @property
    def profile(self):
        raise ValueError("no profile")
"""
REPORT_IT = "fault in Envolve"


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "theirs.py").write_text(THEIRS, encoding="utf-8")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("theirs", "leaving"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "theirs"


@pytest.fixture
def one_task(package: Path) -> Path:
    """A package of which the last gate of one task's audit is soon reached."""
    for file in (package / "tasks").glob("*.yaml"):
        if file.stem != MOVE:
            file.unlink()
    return package


@pytest.mark.parametrize(
    ("attribute", "code", "told"),
    [
        ("AttackRaises", 3, "failed: RuntimeError: boom"),
        ("AttackExits", 3, "failed: it called sys.exit(0)"),
        ("AttackYieldsText", 3, "yielded 'nonsense', which is no attempt"),
        ("AttackYieldsNone", 3, "yielded None, which is no attempt"),
        ("AttackYieldsTextSteps", 3, "which is no attempt"),
        ("AttackReturnsNone", 3, "failed: TypeError"),
        ("AttackTakesNothing", 3, "unexpected keyword argument"),
        ("AttackNameless", 2, "its name is None"),
        ("AttackNameFails", 3, "failed: ValueError: no name"),
        ("NeedsArguments", 2, "cannot be made: TypeError"),
        ("Exiting", 2, "cannot be made: it called sys.exit(0)"),
    ],
)
def test_attackers(attribute: str, code: int, told: str, cli: Cli, theirs: str, one_task: Path) -> None:
    done = cli("audit", one_task, "--attacker", f"{theirs}:{attribute}")
    done.refused(code, f"'theirs:{attribute}'", told)
    assert REPORT_IT not in done.err


@pytest.mark.parametrize(
    ("attribute", "code", "told"),
    [
        ("Solver", 3, "failed on task 'move-the-anniversary-dinner': RuntimeError: boom, at theirs.py:84."),
        ("SolverNotAsync", 2, "not asynchronous"),
        ("SolverExits", 3, "it called sys.exit(0)"),
        ("SolverTakesNothing", 3, "TypeError"),
        ("SolverProfileless", 2, "a solver whose profile is none"),
        ("SolverProfileFails", 3, "'theirs:SolverProfileFails' failed: ValueError"),
        ("NeedsArguments", 2, "cannot be made: TypeError"),
        ("Exiting", 2, "cannot be made: it called sys.exit(0)"),
    ],
)
def test_solvers(attribute: str, code: int, told: str, cli: Cli, theirs: str) -> None:
    done = cli("solve", SAMPLE, MOVE, "--solver", f"{theirs}:{attribute}")
    done.refused(code, "The solver" if code == 3 else f"theirs:{attribute}", told)
    assert REPORT_IT not in done.err


@pytest.mark.parametrize(
    ("attribute", "told"), [("fails", "RuntimeError: boom"), ("leaves", "it called sys.exit(0)")]
)
def test_judges_and_critics_that_fail_have_given_no_answer(attribute: str, told: str, cli: Cli, theirs: str) -> None:
    name = f"{theirs}:{attribute}"
    judged = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", name)
    assert f"{name}: no ruling: The judge '{name}' failed: {told}" in judged.out
    checked = cli("check", SAMPLE, "--critic", name)
    assert checked.code == 1
    assert f"The critic {name} gave no answer: {told}" in checked.out


@pytest.mark.parametrize(("attribute", "told"), [("NeedsArguments", "TypeError"), ("Exiting", "sys.exit(0)")])
def test_judges_and_critics_that_cannot_be_made(attribute: str, told: str, cli: Cli, theirs: str) -> None:
    name = f"{theirs}:{attribute}"
    cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", name).refused(2, f"The judge '{name}'", told)
    cli("check", SAMPLE, "--critic", name).refused(2, f"The critic '{name}'", told)


def test_a_module_that_ends_the_process_is_told(cli: Cli, theirs: str) -> None:
    name = "leaving:anything"
    for words in (
        ("audit", SAMPLE, "--attacker", name),
        ("solve", SAMPLE, MOVE, "--solver", name),
        ("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", name),
        ("check", SAMPLE, "--critic", name),
    ):
        cli(*words).refused(2, f"{name!r} cannot be loaded: it called sys.exit(0), at leaving.py:2")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("mine.py:it", "Write mine:it, and put PYTHONPATH=. before"),
        ("own/mine.py:it", "Write own.mine:it, and put PYTHONPATH=. before"),
        ("/own/mine.py:it", "Write mine:it, and put PYTHONPATH=/own before"),
        ("no_such_module:it", "put PYTHONPATH=. before"),
    ],
)
def test_how_a_name_is_written_is_told(name: str, remedy: str, cli: Cli) -> None:
    for words in (
        ("audit", SAMPLE, "--attacker", name),
        ("solve", SAMPLE, MOVE, "--solver", name),
        ("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", name),
        ("check", SAMPLE, "--critic", name),
    ):
        cli(*words).refused(2, remedy)


def test_a_task_on_which_the_solver_fails_is_told_and_the_others_are_measured(cli: Cli, theirs: str) -> None:
    words = ("measure", SAMPLE, "--solver", f"{theirs}:SolverFailsOnce")
    done = cli(*words, "--json")
    assert done.code == 3
    results = {result["task"]: result for result in done.json["results"]}
    assert len(results) == 3
    assert results[MOVE]["error"] == "RuntimeError: boom, at theirs.py:100"
    assert all(result["rollouts"] > 0 for task, result in results.items() if task != MOVE)
    assert f"The solver 'mine' failed on task '{MOVE}': RuntimeError: boom, at theirs.py:100." in done.err
    assert "solver failed" in cli(*words).out


def test_a_judge_that_decides_nothing_is_told_so(cli: Cli, theirs: str) -> None:
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", f"{theirs}:fails")
    assert f"{theirs}:fails decided nothing: 0 cannot tell, 1 without a ruling" in done.out
    assert "0 of 0" not in done.out
