"""What gold, goal and verifier do is what the request says: tasks whose parts agree with each other and not with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Task
from envolve.eval.audit import audit

BOOK, COUNT, MOVE = "book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"
Raw = dict[str, Any]
Spoiled = Callable[[str, Callable[[Raw], None]], Task]
LARGEST, SMALLEST = (
    "the largest party of the evening, after six",
    "the smallest table of ours that seats them and is free at that time",
)


def grounding_of(environment: Environment, task: Task) -> str:
    """The message of the gate where it fails, its evidence with it; empty where it passes."""
    report = audit(environment, task, gates=("gold", "grounding"))
    assert report.gate("gold").status == "passed", report.gate("gold").message
    found = report.gate("grounding")
    return "" if found.status == "passed" else f"{found.message} {found.evidence}"


def counts_saturday(raw: Raw) -> None:
    raw["gold"][1]["args"]["on_date"] = "2026-03-07"
    raw["verifier"]["answer"]["value"]["guests"] = 2


def lists_saturday(raw: Raw) -> None:
    """What the wrong day's list returns does not vouch for the day that was asked for."""
    raw["gold"][2]["args"]["on_date"] = "2026-03-07"
    raw["gold"][3]["sql"] = "SELECT guest_name FROM $bookings"
    raw["verifier"]["answer"]["value"]["largest_party"] = "Ada Lindqvist"
    del raw["grounding"][LARGEST]


def picks_saturday(raw: Raw) -> None:
    raw["gold"][2]["args"] = {}
    raw["gold"][3]["sql"] = "SELECT guest_name FROM $bookings WHERE date(starts_at) = '2026-03-07'"
    raw["verifier"]["answer"]["value"]["largest_party"] = "Ada Lindqvist"
    del raw["grounding"][LARGEST]


def five_where_six_is_said(raw: Raw) -> None:
    raw["gold"][-2]["args"]["party_size"] = 5
    raw["verifier"]["require"][1]["sql"] = "SELECT party_size = 5 FROM after.bookings WHERE id = 1806"
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("party_size = 6", "party_size = 5")


@pytest.mark.parametrize(
    ("name", "spoil", "says"),
    [
        (COUNT, counts_saturday, "on_date of gold's count_expected_guests"),
        (COUNT, lists_saturday, "on_date of gold's list_restaurant_bookings"),
        (COUNT, picks_saturday, "gold's pick largest"),
        (MOVE, five_where_six_is_said, "5 comes from neither"),
        (MOVE, five_where_six_is_said, "party_size of gold's move_booking"),
    ],
)
def test_what_the_request_does_not_say_is_found(
    environment: Environment, spoiled: Spoiled, name: str, spoil: Callable[[Raw], None], says: str
) -> None:
    assert says in grounding_of(environment, spoiled(name, spoil))


def looks_within_the_day(raw: Raw) -> None:
    """The evening of a day, and the whole day up to the next midnight."""
    raw["gold"][3]["sql"] = (
        "SELECT guest_name FROM $bookings WHERE starts_at > '2026-03-06 17:59:00'"
        " AND starts_at < '2026-03-07 00:00:00' ORDER BY party_size DESC LIMIT 1"
    )


def shows_all(raw: Raw) -> None:
    raw["gold"][2]["args"]["limit"] = 77


def looks_from_now(raw: Raw) -> None:
    raw["gold"][3]["sql"] = raw["gold"][3]["sql"].replace("WHERE", "WHERE starts_at > '2026-03-02 09:00:00' AND")


@pytest.mark.parametrize("spoil", [looks_within_the_day, shows_all, looks_from_now])
def test_how_gold_looks_is_left_to_it(
    environment: Environment, spoiled: Spoiled, spoil: Callable[[Raw], None]
) -> None:
    assert grounding_of(environment, spoiled(COUNT, spoil)) == ""


def test_what_gold_makes_up_where_the_solver_is_free_needs_no_source(
    environment: Environment, spoiled: Spoiled
) -> None:
    def any_party(raw: Raw) -> None:
        raw["instruction"] = raw["instruction"].replace("to six people", "")
        raw["verifier"]["free"] = {"bookings": ["party_size"]}
        del raw["verifier"]["require"][1]
        raw["gold"][2]["args"]["min_seats"] = 6
        raw["gold"][-2]["args"]["party_size"] = 5
        raw["goal"]["sql"] = raw["goal"]["sql"].replace("a.party_size = 6 AND ", "")

    assert "party_size" not in grounding_of(environment, spoiled(MOVE, any_party))
