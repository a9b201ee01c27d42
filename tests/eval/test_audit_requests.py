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


def forgets_the_waitlist(raw: Raw) -> None:
    raw["gold"] = [*raw["gold"][:5], raw["gold"][-1]]
    raw["goal"]["sql"] = raw["goal"]["sql"].split("AND NOT EXISTS")[0]
    raw["verifier"]["require"].pop()
    raw["verifier"]["allow"].pop()
    del raw["grounding"]["my place on Sakura House's waitlist"]


def test_a_name_that_nothing_is_about_is_found(environment: Environment, spoiled: Spoiled) -> None:
    assert "'Sakura House' is named" in grounding_of(environment, spoiled(BOOK, forgets_the_waitlist))


@pytest.mark.parametrize(
    "told",
    [
        "Ada Lindqvist asks.",
        "I have taken Osteria Lume's diary along.",
        "sakura house is on the phone.",
        "Everything else is Spanish to me.",
        "Breakfast is over.",
    ],
)
def test_names_of_what_the_task_is_about_may_be_told(environment: Environment, spoiled: Spoiled, told: str) -> None:
    """Rows that the task is about, and words that are no names in the world as they are written."""

    def say(raw: Raw) -> None:
        raw["instruction"] += told

    assert grounding_of(environment, spoiled(MOVE, say)) == ""


def largest_of_the_day(raw: Raw) -> None:
    raw["gold"][3]["sql"] = "SELECT guest_name FROM $bookings ORDER BY party_size DESC LIMIT 1"
    raw["verifier"]["answer"]["value"]["largest_party"] = "José Álvarez"


def largest_of_the_day_ungrounded(raw: Raw) -> None:
    largest_of_the_day(raw)
    del raw["grounding"][LARGEST]


def any_table_is_asked_for(raw: Raw) -> None:
    raw["instruction"] = raw["instruction"].replace("the smallest table", "a table")
    del raw["grounding"][SMALLEST]


@pytest.mark.parametrize(
    ("name", "spoil", "says"),
    [
        (COUNT, largest_of_the_day, "'José Álvarez' is the first row"),
        (COUNT, largest_of_the_day_ungrounded, "'José Álvarez' is the first row"),
        (MOVE, any_table_is_asked_for, "529 is the first row"),
    ],
)
def test_a_first_row_that_no_phrase_means_is_found(
    environment: Environment, spoiled: Spoiled, name: str, spoil: Callable[[Raw], None], says: str
) -> None:
    assert says in grounding_of(environment, spoiled(name, spoil))


def test_any_row_may_be_taken_where_any_is_right(environment: Environment, spoiled: Spoiled) -> None:
    def any_table(raw: Raw) -> None:
        any_table_is_asked_for(raw)
        raw["verifier"]["require"][0]["sql"] = (
            "SELECT t.seats >= 6 FROM after.bookings b JOIN after.dining_tables t ON t.id = b.table_id WHERE b.id = 1806"
        )

    assert grounding_of(environment, spoiled(MOVE, any_table)) == ""


def test_a_second_question_that_nobody_answers_is_found(environment: Environment, spoiled: Spoiled) -> None:
    def one_of_two(raw: Raw) -> None:
        raw["verifier"]["answer"] = {"kind": "number", "value": 24}
        raw["gold"] = [*raw["gold"][:2], {"submit": {"status": "done", "answer": "$expected.value"}}]

    assert f"{LARGEST!r} means a row that gold is never shown" in grounding_of(
        environment, spoiled(COUNT, one_of_two)
    )


def lists_names(asks: str, describes: str = "the names") -> Callable[[Raw], None]:
    """A question for the names on Friday's bookings."""

    def change(raw: Raw) -> None:
        raw["instruction"] = f"Who are the guests we are expecting this Friday{asks}?"
        raw["grounding"] = {
            "the guests we are expecting this Friday": raw["grounding"]["guests are we expecting this Friday"]
        }
        raw["gold"] = [
            raw["gold"][2],
            {"pick": "names", "sql": "SELECT guest_name FROM $bookings", "many": True},
            {"submit": {"status": "done", "answer": "$names"}},
        ]
        names = ["José Álvarez", "Ada Lindholm", "Ada Lindqvist", "Ben Okafor"]
        raw["verifier"]["answer"] = {"kind": "set", "of": "text", "describe": describes, "value": names}

    return change


@pytest.mark.parametrize(
    ("asks", "describes", "says"),
    [
        (", earliest first", "the names", "'earliest first' asks for an order"),
        (" (in the order in which they come)", "the names", "asks for an order"),
        (", sorted by name", "the names", "asks for an order"),
        (", from the smallest to the largest party", "the names", "asks for an order"),
        ("", "the names, in alphabetical order", "asks for an order"),
        ("", "the names", ""),
        (" and have ordered by phone", "the names", ""),
        (", first of all", "first names and surnames", ""),
    ],
)
def test_an_order_that_the_answer_does_not_look_at_is_found(
    environment: Environment, spoiled: Spoiled, asks: str, describes: str, says: str
) -> None:
    found = grounding_of(environment, spoiled(COUNT, lists_names(asks, describes)))
    assert says in found if says else found == ""


def test_done_tasks_name_no_twin(environment: Environment, spoiled: Spoiled) -> None:
    """Two tasks that name each other are no pair."""

    def named(name: str, other: str) -> Task:
        return spoiled(name, lambda raw: raw.update(twin=other))

    both = environment.with_tasks([named(MOVE, BOOK), named(BOOK, MOVE)])
    report = audit(both, both.tasks[MOVE], attack_calls=0, search_calls=0)
    assert f"it is done, and names {BOOK} as its twin" in report.gate("twins").message
    assert report.grade == "weak"
