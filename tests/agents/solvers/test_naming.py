"""Solvers by name."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from envolve.agents.critics import critic_named
from envolve.agents.solvers import known_solvers, naming, solver_named
from envolve.environments.episode import Episode
from envolve.environments.errors import InputError
from envolve.eval.base import Solver, SolverProfile


class Shy:
    """A user's own solver."""

    def __init__(self, argument: str | None = None) -> None:
        self.profile = SolverProfile(name=f"shy:{argument}" if argument else "shy", kind="custom")

    async def solve(self, episode: Episode) -> None:
        episode.submit(status="impossible")


class NoSolver:
    pass


ready = Shy()


@pytest.mark.parametrize(
    ("text", "kind", "deterministic"),
    [
        ("gold", "control", True),
        ("null", "control", True),
        ("random", "control", False),
        ("random:5", "control", False),
        ("slip:0.5", "simulated", False),
        ("slip:-2", "simulated", False),
        ("slip:1e1", "simulated", False),
    ],
)
def test_named_solvers(text: str, kind: str, deterministic: bool) -> None:
    solver = solver_named(text)
    assert isinstance(solver, Solver)
    assert solver.profile.kind == kind
    assert solver.profile.deterministic is deterministic


def test_other_settings_are_other_solvers() -> None:
    assert solver_named("slip:1").profile.hash != solver_named("slip:1.5").profile.hash
    assert solver_named("slip:1").profile == solver_named("slip:1.0").profile
    assert solver_named("random").profile.hash != solver_named("random:5").profile.hash


@pytest.mark.parametrize("attribute", ["Shy", "ready"])
def test_the_users_own_by_path(attribute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "shy_solvers", __import__("sys").modules[__name__])
    assert solver_named(f"shy_solvers:{attribute}").profile.name == "shy"


def test_plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "shy_solvers", __import__("sys").modules[__name__])
    point = EntryPoint("shy", "shy_solvers:Shy", naming.GROUP)
    monkeypatch.setattr(naming, "entry_points", lambda group, name="shy": [point] if name == "shy" else [])
    assert solver_named("shy").profile.name == "shy"
    assert solver_named("shy:very").profile.name == "shy:very"
    assert "shy" in known_solvers()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("golden", "no solver is called 'golden'"),
        ("", "no solver is called ''"),
        ("gold:1", "takes nothing after a colon"),
        ("null:x", "takes nothing after a colon"),
        ("random:many", "no number of calls"),
        ("random:0", "no number of calls"),
        ("slip", "needs an ability"),
        ("slip:strong", "needs an ability"),
        ("slip:nan", "needs an ability"),
        ("slip:inf", "needs an ability"),
        ("no_such_module:Solver", "cannot be loaded"),
        ("json:Solver", "json has no 'Solver'"),
        ("json:JSONDecoder", "which is no solver"),
        ("../secret:x", "names a file, not a solver. Write secret:x, and put PYTHONPATH=.. before"),
    ],
)
def test_what_is_no_solver(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        solver_named(text)


def test_errors_list_what_exists() -> None:
    with pytest.raises(InputError, match=r"slip:ABILITY, search:BUDGET, openai:MODEL\[@URL\]\S*, module:attr"):
        solver_named("oracle")


def test_a_module_that_fails_is_told_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hasty_solver.py").write_text("x = 1\nenvolve.solve()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for named in (solver_named, critic_named):
        with pytest.raises(InputError, match=r"NameError: name 'envolve' is not defined, at hasty_solver.py:2"):
            named("hasty_solver:Hasty")
