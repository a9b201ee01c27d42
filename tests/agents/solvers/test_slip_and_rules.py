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
ABILITIES = (-4, WEAK, 2, 15)
PAIRS = 4
"""Of each environment at most; half as many there must be, wherever they come from."""
ROLLOUTS = 14
MANY = 60
LATE = {
    "id": "cancel-the-lunch",
    "instruction": "I cannot make it to lunch today. Please cancel that table.",
    "actor": {"roles": ["diner"], "id": 209},
    "goal": {"text": "A booking within two hours of its start can only be cancelled by a host."},
    "gold": [
        {"call": "list_my_bookings", "args": {}, "as": "mine"},
        {"pick": "booking", "sql": "SELECT id FROM $mine WHERE date(starts_at) = :today"},
        {"submit": {"status": "refused", "reason": 2}},
    ],
    "verifier": {"submit": {"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}},
    "plan": {"tried": [{"call": "cancel_booking", "args": {"booking_id": "$booking.id"}}]},
}
"""A refusal by hand, of someone who has two more bookings, one of which may still be cancelled."""


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
    assert len(found) >= len(made) * PAIRS / 2
    return found


@pytest.fixture(scope="module")
def late() -> list[Ended]:
    """What a weak solver came to on the refusal by hand."""
    environment, task = Environment.load("tests/data/table-booking"), Task.model_validate(LATE)
    return ends(environment, task, WEAK, MANY)


def verified(environment: Environment, task: Task) -> Task:
    return asyncio.run(ProceduralTaskWriter().write_verifier(environment, task, run_gold(environment, task)))


def ends(environment: Environment, task: Task, ability: float, rollouts: int = ROLLOUTS) -> list[Ended]:
    return [ended(environment, task, ability, seed) for seed in range(rollouts)]


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


def test_a_refusal_fails_in_the_ways_that_agents_fail_it(late: list[Ended]) -> None:
    """Done all the same: the world turned the request away, or something else was changed; or another rule named."""
    assert any(end.turned_away and end.status == "done" for end in late)
    assert any(end.turned_away and end.passed for end in late)
    assert any(end.wrote and end.outcome == "damaged" for end in late)
    assert any(end.status == "refused" and end.reason != 2 for end in late)
    assert not any(end.passed and (end.wrote or end.reason != 2) for end in late)


def test_who_refuses_names_one_of_the_rules(weak: list[tuple[Held, Task, Ended]], late: list[Ended]) -> None:
    named = [(task.verifier.submit.options, end.reason) for _, task, end in weak if end.status == "refused"]
    named += [((1, 2, 3, 4), end.reason) for end in late if end.status == "refused"]
    assert all(reason in options for options, reason in named)


def test_what_no_rule_forbids_is_sometimes_refused(weak: list[tuple[Held, Task, Ended]]) -> None:
    found = [end for pair, half, end in weak if half is pair.twin]
    assert not any(end.status == "refused" and (end.passed or end.wrote) for end in found)
    statuses = Counter(end.status for end in found)
    assert statuses["done"] > statuses["refused"] > 0


def test_without_rules_to_choose_from_nothing_is_refused(made: list[Made]) -> None:
    sample = Environment.load("tests/data/table-booking")
    drawn = [(one.environment, task) for one in made for task in one.tasks]
    plain = [(where, task) for where, task in drawn if not task.verifier.submit.options][::8]
    plain += [(sample, task) for task in sample.tasks.values()]
    assert {end.status for environment, task in plain for end in ends(environment, task, WEAK)} == {"done"}


def test_a_refusal_without_the_forbidden_steps_ends_as_done_without_calls() -> None:
    """Tasks of other writers tell no such steps: what is overlooked there is only said to be done."""
    bare = Task.model_validate({**LATE, "plan": {}})
    found = ends(Environment.load("tests/data/table-booking"), bare, WEAK)
    assert {end.status for end in found} == {"done", "refused"}
    assert not any(end.wrote for end in found)
