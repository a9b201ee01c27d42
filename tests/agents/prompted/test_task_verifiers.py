"""What the writer of a verifier hears: times that the clock sets, log tables, and what is not the verifier's fault."""

from __future__ import annotations

from functools import cache
from typing import Any

from envolve.agents.prompted.task_writer.building import task_of
from envolve.agents.prompted.task_writer.clock_set import clock_set_columns
from envolve.agents.prompted.task_writer.drafts import CheckDraft, TaskDraft, VerifierDraft
from envolve.agents.prompted.task_writer.task_checks import task_problems
from envolve.agents.prompted.task_writer.verifying import judged
from envolve.environments.gold import run_gold
from envolve.environments.models import Actor, ColumnClasses, Task
from envolve.environments.package import Environment

from .task_scripts import LAST, environment, reply

ADA = Actor(roles=("diner",), id=204)
AS_BEFORE = (
    "SELECT a.status = 'cancelled' AND a.note IS b.note FROM after.bookings a JOIN before.bookings b USING (id)"
)
CANCELLED = {
    "require": [
        {"name": "Friday's", "sql": f"{AS_BEFORE} WHERE a.id = 1806"},
        {"name": "Saturday's", "sql": f"{AS_BEFORE} WHERE a.id = 1811"},
    ]
}
FREE = {"free": {"bookings": ["cancelled_at"]}}


@cache
def timed() -> Environment:
    """The world with the time of a cancellation among what is compared."""
    made = environment()
    columns = ColumnClasses.model_validate(made.spec.columns.model_dump() | {"clock": ("*.created_at",)})
    return Environment.build(
        spec=made.spec.model_copy(update={"columns": columns}),
        schema_sql=made.schema_sql,
        seed_sql=made.seed_sql,
        tools=made.tools_file,
    )


@cache
def both_cancelled() -> Task:
    phrases = [
        {
            "phrase": f"the one on {day}",
            "expect": "one",
            "table": "bookings",
            "sql": f"SELECT id FROM before.bookings WHERE person_id = :actor_id AND date(starts_at) = '{date}'",
        }
        for day, date in (("Friday", "2026-03-06"), ("Saturday", "2026-03-07"))
    ]
    draft = {
        "title": "Cancel both dinners",
        "instruction": "I am ill. Please cancel my dinners this week, the one on Friday and the one on Saturday.",
        "grounding": phrases,
        "goal_text": "Both bookings are cancelled.",
        "goal_sql": "SELECT count(*) = 2 FROM after.bookings a JOIN before.bookings b USING (id) WHERE b.person_id = "
        ":actor_id AND date(b.starts_at) IN ('2026-03-06', '2026-03-07') AND b.status = 'confirmed' AND a.status = "
        "'cancelled'",
        "gold": [
            {"call": "list_my_bookings", "as": "mine"},
            *(
                step
                for name, date in (("first", "2026-03-06"), ("second", "2026-03-07"))
                for step in (
                    {"pick": name, "sql": f"SELECT id FROM $mine WHERE date(starts_at) = '{date}'"},
                    {"call": "cancel_booking", "args": {"booking_id": f"${name}.id"}},
                )
            ),
        ],
    }
    return task_of(TaskDraft.model_validate(draft), timed(), actor=ADA)


def told(draft: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    task = both_cancelled()
    found = judged(timed(), task, run_gold(timed(), task), VerifierDraft.model_validate(draft))
    return found.hard, found.soft


def test_times_that_a_tool_sets_are_named_where_another_order_fails() -> None:
    assert task_problems(timed(), both_cancelled()) == []
    run = run_gold(timed(), both_cancelled())
    assert clock_set_columns(timed(), run) == ("bookings.cancelled_at",)
    assert clock_set_columns(environment(), run) == ()
    exact = {
        "name": "now",
        "sql": "SELECT cancelled_at = '2026-03-02 09:00:00' FROM after.bookings WHERE id = 1806",
    }
    hard, soft = told({"require": [*CANCELLED["require"], exact]})
    assert hard == ()
    assert soft[0].startswith("free: a tool sets bookings.cancelled_at from the clock")
    assert soft[0].endswith("(require 'now')")


def test_a_verifier_with_these_times_free_is_faultless() -> None:
    assert told({**CANCELLED, **FREE}) == ((), ())


def test_a_free_time_that_is_checked_all_the_same_is_named() -> None:
    dated = {
        "name": "dated",
        "sql": "SELECT cancelled_at = '2026-03-02 09:00:00' FROM after.bookings WHERE id = 1806",
    }
    _, soft = told({"require": [*CANCELLED["require"], dated], **FREE})
    assert any("bookings.cancelled_at is free and set from the clock" in line for line in soft)


def test_a_log_table_that_is_looked_at_is_named() -> None:
    logged = {
        "name": "logged",
        "sql": "SELECT at = '2026-03-02 09:00:00' FROM after.booking_events WHERE booking_id = 1806 AND id > 9000",
    }
    _, soft = told({"require": [*CANCELLED["require"], logged], **FREE})
    assert any("booking_events is a log table" in line and "require 'logged'" in line for line in soft)


def test_a_constant_of_the_answer_is_not_put_to_the_verifiers_writer() -> None:
    """Only the task's repair can change the answer's SQL."""
    asked = reply(LAST)["answer"]
    strange = {**asked, "sql": f"SELECT * FROM ({asked['sql']}) WHERE 4321 > 17 AND 'zinnober' <> ''"}
    asking = TaskDraft.model_validate(reply(LAST) | {"answer": strange})
    task = task_of(asking, environment(), actor=Actor(roles=("host",), id=305))
    draft = VerifierDraft(require=[CheckDraft(name="nothing", sql="SELECT 1")])
    found = judged(environment(), task, run_gold(environment(), task), draft)
    assert not any("4321" in line or "zinnober" in line for line in (*found.hard, *found.soft))
