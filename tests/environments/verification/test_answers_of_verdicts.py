"""Answers that a verdict is about, and what they do not make up for."""

from __future__ import annotations

from typing import Any

import pytest

from envolve.environments.models import Submission, Task

from .ends import DONE, Judge, changed


@pytest.mark.parametrize(
    ("answer", "given", "passes"),
    [
        ({"kind": "number", "sql": "SELECT count(*) FROM after.waitlist"}, "3", True),
        ({"kind": "number", "sql": "SELECT count(*) FROM before.waitlist"}, 3, False),
        ({"kind": "number", "sql": "SELECT party_size FROM after.bookings WHERE id = :booking"}, 4, True),
        ({"kind": "number", "sql": "SELECT party_size FROM after.bookings WHERE id = 0"}, 4, False),
        ({"kind": "set", "sql": "SELECT label FROM dining_tables WHERE restaurant_id = 34"}, ["k2", "K1"], True),
        (
            {"kind": "list", "sql": "SELECT label FROM dining_tables WHERE restaurant_id = 34 ORDER BY id"},
            ["K2", "K1"],
            False,
        ),
        (
            {
                "kind": "rows",
                "key": ["label"],
                "columns": {"label": "text", "seats": "number"},
                "sql": "SELECT label, seats, id FROM dining_tables WHERE restaurant_id = 34",
            },
            [{"label": "K2", "seats": 4}, {"label": "K1", "seats": 2}],
            True,
        ),
        (
            {
                "kind": "object",
                "fields": {"name": "text", "rating": "number"},
                "sql": "SELECT name, rating FROM restaurants WHERE id = 34",
            },
            {"name": "the copper kettle", "rating": "4.1"},
            True,
        ),
        ({"kind": "text", "value": "Trattoria Nove"}, None, False),
    ],
)
def test_answers_come_from_the_end_state(
    judge: Judge, terrace: Task, answer: dict[str, Any], given: Any, passes: bool
) -> None:
    assert judge(*DONE, task=changed(terrace, answer=answer), submission=Submission(answer=given)).passed is passes


def test_a_right_answer_does_not_make_up_for_the_state(judge: Judge, terrace: Task) -> None:
    task = changed(terrace, answer={"kind": "number", "value": 4})
    assert judge(task=task, submission=Submission(answer=4)).outcome == "incomplete"
