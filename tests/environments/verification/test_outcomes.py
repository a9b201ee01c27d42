"""Verdicts: what completes a task, what fails it, what damages, and what says nothing about the solver."""

from __future__ import annotations

import resource
import time
from typing import Any

import pytest
from pydantic import ValidationError

from envolve.environments import Environment
from envolve.environments.errors import PackageError
from envolve.environments.models import Submission, Task
from envolve.environments.verification import partial_reward

from .ends import BOOKED, CLOSED_UP, DONE, LEFT, Judge, changed


def test_what_was_asked_completes(judge: Judge) -> None:
    verdict = judge(*DONE)
    assert (verdict.outcome, verdict.reward, verdict.unallowed) == ("completed", 1.0, ())
    assert verdict.passed
    assert all(check.holds for check in verdict.checks)


def test_doing_nothing_is_incomplete_and_nothing_held_before(judge: Judge) -> None:
    verdict = judge()
    assert (verdict.outcome, verdict.reward) == ("incomplete", 0.0)
    assert {check.before for check in verdict.checks if check.name != "submitted as done"} == {False}


@pytest.mark.parametrize(
    ("statements", "outcome"),
    [
        ([BOOKED], "incomplete"),
        ([LEFT, CLOSED_UP], "incomplete"),
        ([BOOKED, LEFT], "completed"),
        ([*DONE, "INSERT INTO booking_events (booking_id, kind, at) VALUES (1900, 'booked', 'x')"], "completed"),
        ([*DONE, "UPDATE bookings SET confirmation_code = 'TB-Y' WHERE id = 1806"], "completed"),
        ([*DONE, "UPDATE bookings SET cancelled_at = '2026-03-02 09:00:00' WHERE id = 1806"], "completed"),
        ([*DONE, "UPDATE waitlist SET position = position * 7"], "completed"),
        ([*DONE, "UPDATE bookings SET note = 'x' WHERE id = 1806"], "damaged"),
        ([*DONE, "UPDATE waitlist SET position = 3 - position WHERE restaurant_id = 43"], "damaged"),
        ([*DONE, "DELETE FROM waitlist WHERE id = 86"], "damaged"),
        ([*DONE, BOOKED.replace("1900", "1901").replace("TB-X", "TB-Y").replace("558", "562")], "damaged"),
        ([*DONE, "INSERT INTO people VALUES (900, 'Ann', 'a@example.com', 'diner', NULL)"], "damaged"),
        (["UPDATE bookings SET note = 'x' WHERE id = 1806"], "damaged"),
        ([BOOKED.replace("558", "562"), LEFT], "incomplete"),
        ([BOOKED.replace("204", "209"), LEFT], "damaged"),
    ],
)
def test_outcomes(judge: Judge, statements: list[str], outcome: str) -> None:
    verdict = judge(*statements)
    assert verdict.outcome == outcome
    assert verdict.reward == (1.0 if outcome == "completed" else 0.0)


def test_unallowed_changes_are_told(judge: Judge) -> None:
    second = BOOKED.replace("1900", "1901").replace("TB-X", "TB-Y").replace("558", "562")
    verdict = judge(
        *DONE,
        second,
        "UPDATE bookings SET note = NULL, party_size = 3 WHERE id = 1806",
        "UPDATE waitlist SET position = 3 - position WHERE restaurant_id = 43",
        "DELETE FROM waitlist WHERE id = 86",
        "INSERT INTO people VALUES (900, 'Ann', 'a@example.com', 'diner', NULL)",
    )
    assert verdict.unallowed == (
        "bookings 1806: party_size changed from 4 to 3.",
        "bookings 1806: note changed from 'Wedding anniversary, quiet table please' to NULL.",
        "bookings 1901: added, one more than is allowed.",
        "people 900: added.",
        "waitlist 86: deleted.",
        "waitlist 75, 82: position changed their order within restaurant_id 43.",
    )


def test_the_world_failing_says_nothing_about_the_solver(judge: Judge) -> None:
    verdict = judge(*DONE, internal_error="book_table: no such table")
    assert (verdict.outcome, verdict.reward, verdict.passed) == ("environment_error", None, False)
    assert "book_table" in verdict.message


@pytest.mark.parametrize(
    "broken",
    [
        {"require": [{"name": "x", "sql": "SELECT nothing FROM after.bookings"}]},
        {"require": [{"name": "x", "sql": "DELETE FROM after.bookings"}]},
        {"require": [{"name": "x", "sql": "SELECT 1; SELECT 0"}]},
        {"require": [{"name": "x", "sql": "SELECT :unknown"}]},
        {
            "require": [
                {
                    "name": "x",
                    "sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
                }
            ]
        },
        {
            "require": [
                {"name": "x", "sql": "SELECT instr(printf('%.*c', 9000000, 'a'), printf('%.*c', 900000, 'a') || 'b')"}
            ]
        },
        {
            "answer": {
                "kind": "list",
                "sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                " SELECT printf('%.*c', 100000, 'a') FROM n",
            }
        },
        {"require": [{"name": "x", "sql": "SELECT char(55296) = 'x' OR fold(char(55296)) = ''"}]},
        {"bind": {"booking": "SELECT id FROM inserted.nothing"}},
        {"answer": {"kind": "number", "sql": "SELECT nothing"}},
        {"allow": [{"table": "bookings", "insert": {"max": 1, "where": "nothing = 1"}}]},
    ],
)
def test_a_broken_verifier_says_nothing_about_the_solver(judge: Judge, terrace: Task, broken: dict[str, Any]) -> None:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    verdict = judge(*DONE, task=changed(terrace, **broken))
    assert (verdict.outcome, verdict.reward) == ("environment_error", None)
    assert terrace.id in verdict.message
    assert time.process_time() - start < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "KiB"


@pytest.mark.parametrize("turned", [False, True])
def test_names_may_use_each_other_in_any_order(judge: Judge, terrace: Task, turned: bool) -> None:
    """A file's mapping has no order, and the version of a task does not know it either."""
    names = {
        "place": "SELECT table_id FROM after.bookings WHERE id = :booking",
        "booking": "SELECT id FROM inserted.bookings WHERE person_id = :guest",
        "guest": "SELECT id FROM before.people WHERE name = 'Ada Lindqvist'",
    }
    bind = dict(reversed(names.items())) if turned else names
    require = [{"name": "at the terrace", "sql": "SELECT :place = 558"}]
    verdict = judge(*DONE, task=changed(terrace, bind=bind, require=require))
    assert verdict.outcome == "completed", verdict.message


def test_names_that_use_each_other_in_a_circle_are_a_broken_verifier(judge: Judge, terrace: Task) -> None:
    bind = {"a": "SELECT :b", "b": "SELECT :a"}
    assert judge(*DONE, task=changed(terrace, bind=bind)).outcome == "environment_error"


@pytest.mark.parametrize(
    "allow",
    [
        {"key": {"id": [1806]}},
        {"key": {"note": {"a": 1}}},
        {"key": {"id": 2**63}},
        {"key": {"id": float("nan")}},
        {"key": {}},
    ],
)
def test_keys_that_no_column_can_hold_are_refused(terrace: Task, allow: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        changed(terrace, allow=[{"table": "bookings", "columns": ["note"], **allow}])


def test_a_task_that_does_not_fit_the_environment_is_not_opened(environment: Environment, terrace: Task) -> None:
    for allow, says in (({"key": {"nr": 1}}, "no column 'nr'"), ({"table": "booking", "key": {"id": 1}}, "no table")):
        task = changed(terrace, allow=[{"table": "bookings", "columns": ["note"], **allow}])
        with pytest.raises(PackageError, match=says):
            environment.open(task)


@pytest.mark.parametrize(
    ("limit", "code"), [("calls", "limit"), ("unparseable", "unparseable"), ("gave_up", "gave_up")]
)
def test_a_limit_means_that_nothing_was_submitted(judge: Judge, limit: str, code: str) -> None:
    verdict = judge(*DONE, limit=limit)
    assert (verdict.outcome, verdict.reward, verdict.code) == ("protocol", 0.0, code)
    assert not verdict.checks[-1].holds


@pytest.mark.parametrize("status", ["refused", "impossible"])
def test_the_status_counts(judge: Judge, status: Any) -> None:
    assert judge(*DONE, submission=Submission(status=status)).outcome == "incomplete"


def test_a_refusal_names_its_rule(judge: Judge, terrace: Task) -> None:
    task = changed(
        terrace, bind={}, require=[], allow=[], submit={"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}
    )
    assert judge(task=task, submission=Submission(status="refused", reason=2)).passed
    assert not judge(task=task, submission=Submission(status="refused", reason=3)).passed
    assert not judge(task=task, submission=Submission(status="refused")).passed
    assert not judge(task=task).passed


def test_partial_reward_counts_what_was_brought_about(judge: Judge, terrace: Task) -> None:
    held = [{"name": "Ada is there", "sql": "SELECT count(*) FROM after.people WHERE id = 204"}]
    plain = [check.model_dump() for check in terrace.verifier.require]
    task = changed(terrace, require=held + plain)
    assert partial_reward(judge(task=task)) == 0.0
    assert partial_reward(judge(BOOKED, task=task)) == pytest.approx(5 / 6)
    assert partial_reward(judge(LEFT, task=task)) == pytest.approx(1 / 6)
    assert partial_reward(judge(*DONE, task=task)) == 1.0
    assert partial_reward(judge(*DONE, task=task, submission=Submission(status="refused"))) == pytest.approx(6 / 7)
    assert partial_reward(judge(*DONE, "DELETE FROM waitlist WHERE id = 86", task=task)) == 0.0
    assert partial_reward(judge(*DONE, task=task, limit="calls")) == 0.0
    assert partial_reward(judge(*DONE, task=task, internal_error="x")) is None


def test_checks_of_the_same_name_all_count(judge: Judge, terrace: Task) -> None:
    never = {"name": "twice", "sql": "SELECT 0"}
    always = {"name": "twice", "sql": "SELECT 1"}
    for require in ([never, always], [always, never]):
        verdict = judge(*DONE, task=changed(terrace, require=[*require]))
        assert verdict.outcome == "incomplete"
        assert [check.holds for check in verdict.checks if check.name == "twice"] == [c is always for c in require]
