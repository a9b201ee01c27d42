"""Errands joined in one task: each does something that the others do not do anyway."""

import pytest

from envolve.agents.procedural.tasks.derivation import write_verifier
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.agents.procedural.tasks.writer import propose
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment

from .conftest import worlds_offering

CASES = "A charity that keeps files of cases, with documents awaited and deadlines"
AUCTIONS = "An auction house with sales, lots and bids"
TICKETS = "A theatre where tickets for shows are sold and people are admitted at the gates"


def passes_without_a_write(environment: Environment, task: Task) -> list[str]:
    """The tools whose call can be left out of gold, and its verifier passes all the same."""
    made = {call.step: call.call for call in run_gold(environment, task).steps if environment.writes(call.call)}
    found = []
    for step, tool in made.items():
        with environment.open(task) as episode:
            run = run_gold(environment, task, skip=[step], episode=episode)
            if run.ok and episode.verify().passed:
                found.append(tool)
    return found


@pytest.mark.parametrize(
    ("text", "one", "every"),
    [
        (CASES, "cases.receive", "cases.complete_and_close"),
        (AUCTIONS, "auctions.knock_down", "auctions.knock_down_reached"),
        (TICKETS, "admissions.admit", "admissions.admit_party"),
    ],
)
def test_nobody_asks_for_one_row_and_then_for_all_it_is_among(text: str, one: str, every: str) -> None:
    """Where the second part does the first one's row too, the first would be asked for nothing."""
    environment = next(worlds_offering(one, every, text=text))
    offers = offers_of(environment)
    tasks = propose(environment, offers.narrowed(workflows={one, every}), 12, seed=0, refusals=0)
    assert len(tasks) == 12
    verified = [write_verifier(environment, offers, task, run_gold(environment, task)) for task in tasks]
    assert {task.id: found for task in verified if (found := passes_without_a_write(environment, task))} == {}


def test_rows_that_stand_side_by_side_are_still_asked_for_together() -> None:
    flows = {"auctions.knock_down", "auctions.knock_down_reached"}
    environment = next(worlds_offering(*flows, text=AUCTIONS))
    tasks = propose(environment, offers_of(environment).narrowed(workflows=flows), 12, seed=0, refusals=0)
    assert any({part["workflow"] for part in task.plan["parts"]} == flows for task in tasks)
