"""A judge without a model sees every rollout of a run; where it differs from the verifier, the verifier is doubted."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envolve.agents.solvers import solver_named
from envolve.environments.models import Rollout, Task, Verifier
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out
from envolve.graph.doubting import doubts_of
from envolve.graph.second_opinions import second_opinion

N = 24
TASK = "move-the-anniversary-dinner"


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(Path(__file__).parents[1] / "data" / "table-booking")


def rolled(environment: Environment, task: Task, solver: str) -> list[Rollout]:
    async def all_of_them() -> list[Rollout]:
        named = solver_named(solver)
        return [
            await roll_out(environment, task, named, index=index, purpose="measure", seed=3) for index in range(N)
        ]

    return asyncio.run(all_of_them())


def test_a_verifier_that_passes_who_does_nothing_is_doubted(environment: Environment) -> None:
    task = environment.tasks[TASK].model_copy(update={"verifier": Verifier()})
    found = rolled(environment, task, "null")
    assert all(rollout.verdict.passed for rollout in found)
    assert second_opinion(environment, task, None, found) == (N, N)
    doubts = doubts_of(environment, task, None, found, look=1)
    assert doubts is not None
    assert [trigger.reason for trigger in doubts.triggers if trigger.kind == "judge"]


@pytest.mark.parametrize("solver", ["null", "gold", "slip:0"])
def test_a_sound_verifier_is_not(environment: Environment, solver: str) -> None:
    task = environment.tasks[TASK]
    found = rolled(environment, task, solver)
    assert second_opinion(environment, task, None, found).disagreed == 0
    assert doubts_of(environment, task, None, found, look=1) is None


def test_rollouts_of_another_version_say_nothing(environment: Environment) -> None:
    task = environment.tasks[TASK]
    found = rolled(environment, task, "null")
    assert second_opinion(environment, environment.tasks["book-the-terrace-for-four"], None, found) == (0, 0)
