"""Commands on a package that holds a refusal and its twin: the two are one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.compiler import compile_plan
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.agents.procedural.tasks.planner import Planner
from envolve.agents.procedural.tasks.refusals import Refuser
from envolve.environments.gold import run_gold
from envolve.environments.package import Environment
from envolve.eval.units import Unit

from .conftest import Cli


@pytest.fixture
def paired(finished: Path, tmp_path: Path) -> tuple[Path, Unit]:
    """A package with a pair and no other task."""
    (built,) = (finished / "environments").iterdir()
    environment = Environment.load(built).without_tasks()
    offers, rng = offers_of(environment), Random(4)
    refuser = Refuser(Planner(environment, offers, rng), offers, rng)
    twins = next(found for _ in range(40) if (found := refuser.draw()))
    refusal, twin = (compile_plan(environment, offers, plan) for plan in twins)
    refusal = refusal.model_copy(update={"twin": twin.id})
    written = [
        asyncio.run(ProceduralTaskWriter().write_verifier(environment, half, run_gold(environment, half)))
        for half in (refusal, twin)
    ]
    return environment.with_tasks(written).save(tmp_path), Unit(*written)


def test_measure_takes_pairs_of_rollouts(cli: Cli, paired: tuple[Path, Unit]) -> None:
    package, unit = paired
    assert unit.twin is not None
    (result,) = cli("measure", package, "--solver", "slip:4", "--json").json["results"]
    assert (result["task"], result["twin"]) == (unit.task.id, unit.twin.id)
    assert sum(result["outcomes"].values()) == 2 * result["rollouts"]
    (nothing,) = cli("measure", package, "--solver", "null", "--json").json["results"]
    assert (nothing["passes"], nothing["rollouts"]) == (0, 1)
    shown = cli("measure", package, "--solver", "slip:4").out
    assert "pairs of rollouts are counted, which pass if both pass" in shown


def test_a_pair_torn_apart_is_not_sound(cli: Cli, paired: tuple[Path, Unit]) -> None:
    package, unit = paired
    assert unit.twin is not None
    assert cli("audit", package).code == 0
    (package / "tasks" / f"{unit.twin.id}.yaml").unlink()
    done = cli("audit", package)
    assert done.code == 1
    assert "twins" in done.out


def test_solve_names_the_twin(cli: Cli, paired: tuple[Path, Unit]) -> None:
    package, unit = paired
    assert unit.twin is not None
    done = cli("solve", package, unit.task.id, "--solver", "gold")
    assert done.code == 0
    assert f"one with its twin {unit.twin.id}" in done.out
    assert f"one with its twin {unit.task.id}" in cli("solve", package, unit.twin.id, "--solver", "gold").out


def test_solve_names_no_twin_that_is_none(cli: Cli, paired: tuple[Path, Unit]) -> None:
    package, unit = paired
    assert unit.twin is not None
    (package / "tasks" / f"{unit.twin.id}.yaml").unlink()
    assert "one with" not in cli("solve", package, unit.task.id, "--solver", "gold").out
