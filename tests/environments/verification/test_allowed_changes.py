"""What may change besides, and that equal states get equal verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet
from envolve.environments.models import Task
from envolve.environments.states import state_signature

from .ends import BOOKED, LEFT, End, Judge, changed


def allowing(task: Task, *allow: dict[str, Any], **free: list[str]) -> Task:
    return changed(task, bind={}, require=[], allow=list(allow), free=free)


@pytest.mark.parametrize(
    ("allow", "free", "statements", "fine"),
    [
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE id = 1806"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE id = 1811"],
            False,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET party_size = 3 WHERE id = 1806"],
            False,
        ),
        (
            [{"table": "bookings", "key": {"person_id": 227}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE person_id = 227"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {"bookings": ["party_size"]},
            ["UPDATE bookings SET party_size = 3, note = 'x' WHERE id = 1806"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {"bookings": ["party_size"]},
            ["UPDATE bookings SET party_size = 1 WHERE id = 1811"],
            False,
        ),
        # One of the two entries admits both new rows: the rows must be dealt out so that each finds a place.
        (
            [
                {"table": "people", "insert": {"max": 1}},
                {"table": "people", "insert": {"max": 1, "where": "name = 'Ann'"}},
            ],
            {},
            ["INSERT INTO people VALUES (900, 'Ann', 'a', 'diner', NULL), (901, 'Bob', 'b', 'diner', NULL)"],
            True,
        ),
        (
            [
                {"table": "people", "insert": {"max": 1}},
                {"table": "people", "insert": {"max": 1, "where": "name = 'Ann' -- nobody else"}},
            ],
            {},
            ["INSERT INTO people VALUES (900, 'Bo', 'a', 'diner', NULL), (901, 'Bob', 'b', 'diner', NULL)"],
            False,
        ),
        (
            [{"table": "bookings", "delete": {"max": 2, "where": "status = 'cancelled'"}}],
            {},
            ["DELETE FROM bookings WHERE id = 1819"],
            False,
        ),
        # An entry for the moved row lets it take any place; the others keep their order around it.
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["position"]}],
            {},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            True,
        ),
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["party_size"]}],
            {"waitlist": ["position"]},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            True,
        ),
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["party_size"]}],
            {},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            False,
        ),
        (
            [{"table": "waitlist", "insert": {"max": 1}}],
            {},
            [
                "UPDATE waitlist SET position = position + 1 WHERE restaurant_id = 43",
                "INSERT INTO waitlist VALUES (90, 43, 222, 2, '2026-03-13', 1, 'x')",
            ],
            True,
        ),
    ],
)
def test_allow(
    judge: Judge,
    terrace: Task,
    allow: list[dict[str, Any]],
    free: dict[str, list[str]],
    statements: list[str],
    fine: bool,
) -> None:
    assert judge(*statements, task=allowing(terrace, *allow, **free)).outcome == ("completed" if fine else "damaged")


WRITES = st.lists(
    st.sampled_from(
        [
            BOOKED,
            LEFT,
            "UPDATE waitlist SET position = position * 3 + 1 WHERE restaurant_id = 43",
            "UPDATE waitlist SET position = 1000 - position WHERE restaurant_id = 43",
            "UPDATE bookings SET confirmation_code = confirmation_code || 'x'",
            "UPDATE bookings SET note = 'x' WHERE id = 1806",
            "UPDATE bookings SET note = 'Wedding anniversary, quiet table please' WHERE id = 1806",
            "DELETE FROM booking_events WHERE booking_id = 1806",
            "DELETE FROM waitlist WHERE restaurant_id = 31",
            "UPDATE bookings SET id = id + 100, confirmation_code = 'n' WHERE id = 1900",
        ]
    ),
    max_size=5,
    unique=True,
)


@settings(derandomize=True, database=None, deadline=None, max_examples=150)
@given(one=WRITES, other=WRITES)
def test_equal_states_get_equal_verdicts(
    environment: Environment, terrace: Task, one: list[str], other: list[str]
) -> None:
    task = allowing(terrace, {"table": "bookings", "insert": {"max": 1}}, {"table": "waitlist", "delete": {"max": 1}})
    first, second = End(environment, task, *one), End(environment, task, *other)
    signatures = [state_signature(environment, end.changes, end.after) for end in (first, second)]
    if signatures[0] == signatures[1]:
        assert first.verdict().outcome == second.verdict().outcome
    if signatures[0] == state_signature(environment, ChangeSet(), first.before):
        assert first.verdict().outcome == "completed"
