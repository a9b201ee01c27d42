"""The searching solver: more calls in clones, more passes; and it says what it is."""

import asyncio
from typing import Protocol

import pytest

from envolve.agents.solvers import solver_named
from envolve.environments.errors import InputError
from envolve.environments.models import Rollout, Task
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out

FEW = 6
"""Tasks of each environment."""


class Made(Protocol):
    """An environment with tasks; see conftest."""

    environment: Environment
    tasks: list[Task]


def rolled(made: list[Made], budget: int) -> list[Rollout]:
    solver = solver_named(f"search:{budget}")
    return [
        asyncio.run(roll_out(one.environment, task, solver, index=0, purpose="free", seed=0))
        for one in made
        for task in one.tasks[:FEW]
        if task.verifier.submit.status == "done"
    ]


def test_more_calls_pass_more(made: list[Made]) -> None:
    few, many = (sum(rollout.verdict.passed for rollout in rolled(made, budget)) for budget in (3, 150))
    assert few < many


def test_it_says_that_it_is_simulated_and_privileged() -> None:
    profile = solver_named("search:300").profile
    assert (profile.name, profile.kind, profile.settings["budget"]) == ("search:300", "simulated", 300)
    assert "verifier" in profile.settings["privileged"]


def test_what_it_does_in_clones_is_not_in_its_trace(made: list[Made]) -> None:
    assert all(rollout.calls < 30 for rollout in rolled(made, 60))


@pytest.mark.parametrize("name", ["search", "search:", "search:0", "search:many", "search:-3", "search:1000000"])
def test_a_budget_is_a_number_of_calls(name: str) -> None:
    with pytest.raises(InputError, match="budget"):
        solver_named(name)
