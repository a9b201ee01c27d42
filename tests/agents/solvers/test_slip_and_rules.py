"""What the simulated solver does where a rule forbids the request, and where one might."""

import asyncio
from collections import Counter
from itertools import islice
from typing import NamedTuple, Protocol

import pytest

from envolve.agents.base import Pair
from envolve.agents.procedural.operators import ProceduralEvolver
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.solvers import solver_named
from envolve.environments.canonical import seed_from
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment

WEAK = -1
ABILITIES = (-4, WEAK, 2, 9)
PAIRS = 2
ROLLOUTS = 14


class Made(Protocol):
    environment: Environment
    tasks: list[Task]


class Held(NamedTuple):
    environment: Environment
    refusal: Task
    twin: Task


class Ended(NamedTuple):
    passed: bool
    outcome: str
    status: str
    reason: int | None
    turned_away: bool
    wrote: bool


@pytest.fixture(scope="module")
def pairs(made: list[Made]) -> list[Held]:
    found: list[Held] = []
    for one in made:
        evolved = (
            asyncio.run(ProceduralEvolver().evolve(one.environment, task, "refuse", seed=1)) for task in one.tasks
        )
        drawn = islice((pair for pair in evolved if isinstance(pair, Pair)), PAIRS)
        found += [Held(one.environment, *(verified(one.environment, half) for half in pair)) for pair in drawn]
    assert len(found) == len(made) * PAIRS
    return found


def verified(environment: Environment, task: Task) -> Task:
    return asyncio.run(ProceduralTaskWriter().write_verifier(environment, task, run_gold(environment, task)))


def ends(environment: Environment, task: Task, ability: float) -> list[Ended]:
    return [ended(environment, task, ability, seed) for seed in range(ROLLOUTS)]


@pytest.fixture(scope="module")
def weak(pairs: list[Held]) -> list[tuple[Held, Task, Ended]]:
    """What a weak solver came to, with the pair and the half of it."""
    return [
        (pair, half, end)
        for pair in pairs
        for half in (pair.refusal, pair.twin)
        for end in ends(pair.environment, half, WEAK)
    ]


def ended(environment: Environment, task: Task, ability: float, seed: int) -> Ended:
    with environment.open(task, seed=seed_from(task.id, seed)) as episode:
        asyncio.run(solver_named(f"slip:{ability}").solve(episode))
        verdict, submission, changes = episode.verify(), episode.submission, episode.changes()
        results = [event.result for event in episode.trace.events if event.kind == "call"]
    assert submission is not None
    turned_away = bool(results) and results[-1] is not None and not results[-1].ok
    return Ended(
        verdict.passed, verdict.outcome, submission.status, submission.reason, turned_away, bool(changes.rows)
    )


@pytest.mark.parametrize("half", ["refusal", "twin"])
def test_either_half_is_passed_more_often_with_ability(pairs: list[Held], half: str) -> None:
    rates = [
        sum(end.passed for pair in pairs for end in ends(pair.environment, getattr(pair, half), ability))
        for ability in ABILITIES
    ]
    assert rates == sorted(rates)
    every = len(pairs) * ROLLOUTS
    assert rates[0] < 0.2 * every
    assert 0.5 * every < rates[2] < every
    assert rates[-1] == every


def test_a_refusal_fails_in_the_ways_that_agents_fail_it(weak: list[tuple[Held, Task, Ended]]) -> None:
    """Done all the same: the world turned the request away, or something else was changed; or another rule named."""
    found = [(half, end) for pair, half, end in weak if half is pair.refusal]
    assert any(end.turned_away and end.status == "done" for _, end in found)
    assert any(end.turned_away and end.passed for _, end in found)
    assert any(end.wrote and end.outcome == "damaged" for _, end in found)
    named = [(task.verifier.submit, end.reason) for task, end in found if end.status == "refused"]
    assert all(reason in submit.options for submit, reason in named)
    assert any(reason != submit.reason for submit, reason in named)


def test_what_no_rule_forbids_is_sometimes_refused(weak: list[tuple[Held, Task, Ended]]) -> None:
    found = [end for pair, half, end in weak if half is pair.twin]
    assert not any(end.status == "refused" and (end.passed or end.wrote) for end in found)
    statuses = Counter(end.status for end in found)
    assert statuses["done"] > statuses["refused"] > 0


def test_without_rules_to_choose_from_nothing_is_refused(made: list[Made]) -> None:
    plain = [(one.environment, task) for one in made for task in one.tasks if not task.verifier.submit.options]
    assert {end.status for environment, task in plain[::8] for end in ends(environment, task, WEAK)} == {"done"}


def test_a_refusal_without_the_forbidden_steps_ends_as_done_without_calls(pairs: list[Held]) -> None:
    """Tasks of other writers tell no such steps: what is overlooked there is only said to be done."""
    pair = pairs[0]
    bare = pair.refusal.model_copy(update={"plan": {}})
    found = ends(pair.environment, bare, WEAK)
    assert {end.status for end in found} == {"done", "refused"}
    assert not any(end.wrote for end in found)
