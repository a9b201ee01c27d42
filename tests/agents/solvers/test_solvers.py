"""Controls and the simulated solver, on real tasks, through real calls."""

import asyncio
from typing import Protocol

import pytest

from envolve.agents.solvers import solver_named
from envolve.environments.canonical import sha256
from envolve.environments.errors import InputError
from envolve.environments.models import Task, Verdict
from envolve.environments.package import Environment
from envolve.eval.base import Solver

ROLLOUTS = 6


class Made(Protocol):
    environment: Environment
    tasks: list[Task]


def solved(environment: Environment, task: Task, solver: Solver, seed: int = 0) -> tuple[Verdict, str]:
    """The verdict, and a hash of everything that was done."""
    with environment.open(task, seed=seed) as episode:
        asyncio.run(solver.solve(episode))
        verdict = episode.verify()
        events = [event.model_copy(update={"seconds": 0.0}) for event in episode.trace.events]
        return verdict, sha256(events)


def rate(made: list[Made], ability: float) -> float:
    solver = solver_named(f"slip:{ability}")
    verdicts = [
        solved(one.environment, task, solver, seed)[0]
        for one in made
        for task in one.tasks
        for seed in range(ROLLOUTS)
    ]
    assert all(verdict.reward is not None for verdict in verdicts)
    return sum(verdict.passed for verdict in verdicts) / len(verdicts)


def test_gold_always_passes_and_null_never(made: list[Made]) -> None:
    for one in made:
        for task in one.tasks:
            assert solved(one.environment, task, solver_named("gold"))[0].passed
            assert not solved(one.environment, task, solver_named("null"))[0].passed


def test_random_calls_are_valid_and_do_not_pass(made: list[Made]) -> None:
    passes, refused, calls = list[bool](), 0, 0
    for one in made:
        for task in one.tasks:
            with one.environment.open(task, seed=7) as episode:
                asyncio.run(solver_named("random:15").solve(episode))
                results = [event.result for event in episode.trace.events if event.kind == "call"]
                passes.append(episode.verify().passed)
            calls += len(results)
            refused += sum(
                r is not None and r.error is not None and r.error.code == "invalid_argument" for r in results
            )
    assert sum(passes) <= 0.05 * len(passes)  # A short answer may be guessed.
    assert refused < calls * 0.35


def test_slip_gets_better_with_ability(made: list[Made]) -> None:
    rates = [rate(made, ability) for ability in (-3, -1, 1, 3, 15)]
    assert rates == sorted(rates)
    assert rates[0] < 0.25
    assert 0.3 < rates[2] < 0.92
    assert rates[3] > 0.75
    assert rates[4] == 1.0


def test_slip_spreads_over_tasks(made: list[Made]) -> None:
    solver = solver_named("slip:0.5")
    rates = sorted(
        sum(solved(one.environment, task, solver, seed)[0].passed for seed in range(ROLLOUTS)) / ROLLOUTS
        for one in made
        for task in one.tasks
    )
    assert rates[0] <= 0.35
    assert rates[-1] >= 0.75


def test_slips_are_calls_that_the_world_answers(made: list[Made]) -> None:
    """Nothing is drawn but what is done: mistakes show as failed checks, damage, or a wrong submission."""
    outcomes = {
        solved(one.environment, task, solver_named("slip:-1"), seed)[0].outcome
        for one in made
        for task in one.tasks
        for seed in range(4)
    }
    assert {"incomplete", "damaged"} <= outcomes <= {"completed", "incomplete", "damaged"}


@pytest.mark.parametrize("name", ["gold", "random", "slip:0", "slip:2"])
def test_the_seed_of_the_episode_decides(made: list[Made], name: str) -> None:
    environment = made[0].environment
    runs = {
        task.id: [solved(environment, task, solver_named(name), seed)[1] for seed in (1, 1, *range(2, 12))]
        for task in made[0].tasks
    }
    assert all(hashes[0] == hashes[1] for hashes in runs.values())
    assert any(len(set(hashes)) > 1 for hashes in runs.values()) is (name != "gold")


@pytest.mark.parametrize("name", ["gold", "slip:1"])
def test_without_gold_there_is_nothing_to_follow(made: list[Made], name: str) -> None:
    task = made[0].tasks[0].model_copy(update={"gold": ()})
    with pytest.raises(InputError, match="gold"):
        solved(made[0].environment, task, solver_named(name))


def test_the_sample_tasks_too() -> None:
    environment = Environment.load("tests/data/table-booking")
    for task in environment.tasks.values():
        assert solved(environment, task, solver_named("gold"))[0].passed
        assert not solved(environment, task, solver_named("null"))[0].passed
        weak, strong = (
            sum(solved(environment, task, solver_named(f"slip:{ability}"), seed)[0].passed for seed in range(15))
            for ability in (-2, 6)
        )
        assert weak < 8 < strong
