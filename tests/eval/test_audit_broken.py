"""Every way to spoil a task is found, by the gate it belongs to."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from envolve.environments import Environment
from envolve.environments.models import Task
from envolve.environments.models.audits import GateName, Grade
from envolve.eval.audit import audit

BOOK, COUNT, MOVE = "book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"
Raw = dict[str, Any]


class Spoiled(NamedTuple):
    name: str
    task: str
    spoil: Callable[[Raw], None]
    grade: Grade
    gates: tuple[GateName, ...]


def drop_require(raw: Raw, name: str) -> None:
    raw["verifier"]["require"] = [check for check in raw["verifier"]["require"] if check["name"] != name]


def add_require(raw: Raw, sql: str) -> None:
    raw["verifier"]["require"].append({"name": "extra", "sql": sql})


def goal(raw: Raw, sql: str | None) -> None:
    raw["goal"]["sql"] = sql


def and_goal(raw: Raw, condition: str) -> None:
    """Make the goal as strict as a requirement, so that the two agree."""
    raw["goal"]["sql"] = f"SELECT ({raw['goal']['sql']}) AND ({condition})"


def no_op(raw: Raw) -> None:
    raw["verifier"] |= {"bind": {}, "require": []}


def no_op_with_blind_goal(raw: Raw) -> None:
    no_op(raw)
    goal(raw, "SELECT 1")


def missing_require(raw: Raw) -> None:
    drop_require(raw, "party of six")


def missing_require_blind_goal(raw: Raw) -> None:
    missing_require(raw)
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("a.party_size = 6 AND ", "")


def missing_allow(raw: Raw) -> None:
    raw["verifier"]["allow"] = []


def column_missing_in_allow(raw: Raw) -> None:
    raw["verifier"]["allow"][0]["columns"] = ["table_id"]


def allows_more_rows(raw: Raw) -> None:
    raw["verifier"]["allow"][0]["insert"] = {"max": 5}
    raw["verifier"]["bind"] = {"booking": "SELECT min(id) FROM inserted.bookings WHERE person_id = 204"}


def allows_another_row(raw: Raw) -> None:
    raw["verifier"]["allow"].append({"table": "bookings", "key": {"id": 1811}, "columns": ["party_size"]})
    # The row that is allowed too many changes is one of the world's, named by a phrase.
    raw["grounding"]["her"] = {
        "expect": "set",
        "table": "bookings",
        "sql": "SELECT id FROM before.bookings WHERE person_id = 204 AND table_id = 524",
    }


def allows_another_column(raw: Raw) -> None:
    raw["verifier"]["allow"][0]["columns"] += ["note", "status"]
    drop_require(raw, "still confirmed")
    raw["goal"]["sql"] = (
        raw["goal"]["sql"].replace("AND a.status = 'confirmed' ", "").replace("AND a.note IS b.note", "")
    )


def allows_deleting_others(raw: Raw) -> None:
    raw["verifier"]["allow"][1]["delete"] = {"max": 4, "where": "restaurant_id = 43"}


def wrong_constant(raw: Raw) -> None:
    raw["verifier"]["require"][1]["sql"] = "SELECT party_size = 7 FROM after.bookings WHERE id = 1806"


def broken_sql(raw: Raw) -> None:
    add_require(raw, "SELECT no_such_column FROM after.bookings")


def needless_write(raw: Raw) -> None:
    raw["gold"].insert(4, {"call": "move_booking", "args": {"booking_id": "$booking.id", "party_size": 3}})


def gold_fails(raw: Raw) -> None:
    raw["gold"][4]["args"]["table_id"] = 517


def gold_for_another_role(raw: Raw) -> None:
    raw["actor"] = {"roles": ["diner"], "id": 204}


def gold_forbidden(raw: Raw) -> None:
    raw["gold"][4:5] = [{"call": "get_booking", "args": {"booking_id": 1815}}, raw["gold"][4]]


def nobody_acts(raw: Raw) -> None:
    raw["actor"]["id"] = 4711


def setup_fails(raw: Raw) -> None:
    raw["setup"] = ["INSERT INTO no_such_table VALUES (1)"]


def ambiguous_phrase(raw: Raw) -> None:
    grounding = raw["grounding"]["Ada Lindqvist's anniversary dinner on Friday"]
    grounding["sql"] = (
        "SELECT b.id FROM before.bookings b JOIN before.people p ON p.id = b.person_id WHERE p.name LIKE 'Ada%'"
    )


def phrase_not_said(raw: Raw) -> None:
    raw["grounding"]["the quiet corner"] = {"expect": "one", "table": "dining_tables", "sql": "SELECT 529"}


def phrase_means_nothing(raw: Raw) -> None:
    raw["grounding"]["Friday"] = {
        "expect": "one",
        "table": "bookings",
        "sql": "SELECT id FROM before.bookings WHERE id = 3",
    }


def tied_first(raw: Raw) -> None:
    grounding = raw["grounding"]["the smallest table of ours that seats them and is free at that time"]
    grounding["sql"] = "SELECT id, seats FROM before.dining_tables WHERE seats >= 6"


def unreachable_row(raw: Raw) -> None:
    raw["grounding"]["my parents' visit"] = {
        "expect": "one",
        "table": "bookings",
        "sql": "SELECT id FROM before.bookings WHERE id = 1846",
    }


def created_unbound(raw: Raw) -> None:
    raw["grounding"]["get me a terrace table"] = {"expect": "created", "bind": "table"}


def constant_from_nowhere(raw: Raw) -> None:
    add_require(raw, "SELECT party_size < 4711 FROM after.bookings WHERE id = 1806")


def leaked_id(raw: Raw) -> None:
    raw["instruction"] = raw["instruction"].replace("on Friday", "on Friday (booking 1806)")
    phrase = raw["grounding"].pop("Ada Lindqvist's anniversary dinner on Friday")
    raw["grounding"]["Ada Lindqvist's anniversary dinner on Friday (booking 1806)"] = phrase


def leaked_answer(raw: Raw) -> None:
    raw["instruction"] += " I think it was 24, and Ben Okafor's table."


def guessable_answer(raw: Raw) -> None:
    raw["verifier"]["answer"] = {"kind": "choice", "options": ["Ben Okafor", "Ada Lindholm"], "value": "Ben Okafor"}
    raw["gold"][-1]["submit"]["answer"] = "$largest.guest_name"


def guessable_number(raw: Raw) -> None:
    raw["verifier"]["answer"] = {"kind": "number", "value": 6}
    raw["gold"][3]["sql"] = raw["gold"][3]["sql"].replace("guest_name", "party_size")
    raw["gold"][-1]["submit"]["answer"] = "$largest.party_size"


def answer_of_anything(raw: Raw) -> None:
    raw["verifier"]["answer"] = {"kind": "number", "value": 24, "tolerance": 1000}
    raw["gold"][-1]["submit"]["answer"] = "$expected.value"


def strict_on_clock(raw: Raw) -> None:
    condition = "SELECT created_at = '2026-03-02 09:00:00' FROM after.bookings WHERE id = :booking"
    add_require(raw, condition)
    and_goal(raw, condition.replace(":booking", "(SELECT max(id) FROM after.bookings)"))


def strict_on_code(raw: Raw) -> None:
    condition = "SELECT confirmation_code LIKE 'TB-P%' FROM after.bookings WHERE id = :booking"
    add_require(raw, condition)
    and_goal(raw, condition.replace(":booking", "(SELECT max(id) FROM after.bookings)"))


def strict_on_log(raw: Raw) -> None:
    condition = (
        "SELECT kind = 'moved' FROM after.booking_events WHERE id = (SELECT max(id) FROM after.booking_events)"
    )
    add_require(raw, condition)
    and_goal(raw, condition)


def strict_on_order_of_calls(raw: Raw) -> None:
    """The booking must come before leaving the waitlist: only the clock shows that."""
    condition = (
        "SELECT (SELECT created_at FROM after.bookings WHERE id = (SELECT max(id) FROM after.bookings))"
        " < '2026-03-02 09:00:01'"
    )
    add_require(raw, condition)
    and_goal(raw, condition)


def strict_and_the_goal_knows(raw: Raw) -> None:
    add_require(raw, "SELECT created_at = '2026-03-02 09:00:00' FROM after.bookings WHERE id = :booking")


def rejects_what_is_free(raw: Raw) -> None:
    """The note is the solver's choice, but verifier and goal hold it to the one that gold made up."""
    raw["instruction"] = raw["instruction"].replace('"window side, no music"', "something kind")
    raw["verifier"]["free"] = {"bookings": ["note"]}


def free_where_the_goal_is_not(raw: Raw) -> None:
    raw["verifier"]["free"] = {"bookings": ["note"]}
    drop_require(raw, "with the note")


def prefix_passes(raw: Raw) -> None:
    drop_require(raw, "off the waitlist")
    raw["goal"]["sql"] = raw["goal"]["sql"].split("AND NOT EXISTS")[0]


def ids_as_constants(raw: Raw) -> None:
    raw["verifier"]["bind"] = {}
    raw["grounding"].pop("get me a terrace table")
    for check in raw["verifier"]["require"]:
        check["sql"] = check["sql"].replace(":booking", "1867")


def goal_disagrees(raw: Raw) -> None:
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("party_size = 6", "party_size = 7")


def goal_is_missing(raw: Raw) -> None:
    goal(raw, None)


def goal_is_broken(raw: Raw) -> None:
    goal(raw, "SELECT nothing FROM nowhere")


def answer_is_random(raw: Raw) -> None:
    raw["verifier"]["answer"] = {"kind": "text", "value": "TB-P34TQQ"}
    raw["gold"][4]["as"] = "booked"
    raw["gold"][-1]["submit"]["answer"] = "$booked.confirmation_code"


SPOILED = [
    Spoiled("no-op verifier", MOVE, no_op, "disputed", ("null", "goal", "end_state_mutants", "trajectory_mutants")),
    Spoiled("no-op verifier and goal", MOVE, no_op_with_blind_goal, "weak", ("null", "prefix", "end_state_mutants")),
    Spoiled(
        "missing require", MOVE, missing_require, "disputed", ("goal", "end_state_mutants", "trajectory_mutants")
    ),
    Spoiled("missing require, blind goal", MOVE, missing_require_blind_goal, "weak", ("end_state_mutants",)),
    Spoiled("missing allow", MOVE, missing_allow, "broken", ("gold",)),
    Spoiled("column missing in allow", MOVE, column_missing_in_allow, "broken", ("gold",)),
    Spoiled("allows more rows", BOOK, allows_more_rows, "weak", ("end_state_mutants",)),
    Spoiled("allows another row", MOVE, allows_another_row, "weak", ("end_state_mutants",)),
    Spoiled("allows another column", MOVE, allows_another_column, "weak", ("end_state_mutants",)),
    Spoiled("allows deleting others", BOOK, allows_deleting_others, "weak", ("end_state_mutants",)),
    Spoiled("wrong constant", MOVE, wrong_constant, "broken", ("gold",)),
    Spoiled("verifier does not run", MOVE, broken_sql, "broken", ("gold",)),
    Spoiled("needless write", MOVE, needless_write, "weak", ("prefix",)),
    Spoiled("gold fails", MOVE, gold_fails, "broken", ("gold",)),
    Spoiled("gold's tool is for others", MOVE, gold_for_another_role, "broken", ("gold", "permission")),
    Spoiled("gold is forbidden", BOOK, gold_forbidden, "broken", ("gold", "permission")),
    Spoiled("no such actor", MOVE, nobody_acts, "broken", ("gold",)),
    Spoiled("setup fails", MOVE, setup_fails, "broken", ("gold",)),
    Spoiled("ambiguous phrase", MOVE, ambiguous_phrase, "ambiguous", ("grounding",)),
    Spoiled("phrase not said", MOVE, phrase_not_said, "ambiguous", ("grounding",)),
    Spoiled("phrase means nothing", MOVE, phrase_means_nothing, "ambiguous", ("grounding",)),
    Spoiled("two are first", MOVE, tied_first, "ambiguous", ("grounding",)),
    Spoiled("unreachable row", BOOK, unreachable_row, "ambiguous", ("grounding",)),
    Spoiled("created but not bound", BOOK, created_unbound, "ambiguous", ("grounding",)),
    Spoiled("constant from nowhere", MOVE, constant_from_nowhere, "ambiguous", ("grounding",)),
    Spoiled("leaked id", MOVE, leaked_id, "weak", ("leak",)),
    Spoiled("leaked answer", COUNT, leaked_answer, "weak", ("leak",)),
    Spoiled("guessable choice", COUNT, guessable_answer, "weak", ("null",)),
    Spoiled("guessable number", COUNT, guessable_number, "weak", ("null",)),
    Spoiled("any number is right", COUNT, answer_of_anything, "weak", ("null",)),
    Spoiled("strict on the clock", BOOK, strict_on_clock, "strict", ("alternatives",)),
    Spoiled("strict on a code", BOOK, strict_on_code, "strict", ("alternatives",)),
    Spoiled("strict on a log", MOVE, strict_on_log, "strict", ("alternatives",)),
    Spoiled("strict on the order of calls", BOOK, strict_on_order_of_calls, "strict", ("alternatives",)),
    Spoiled("strict, unlike the goal", BOOK, strict_and_the_goal_knows, "disputed", ("alternatives", "goal")),
    Spoiled("rejects what is free", BOOK, rejects_what_is_free, "strict", ("alternatives",)),
    Spoiled("free where the goal is not", BOOK, free_where_the_goal_is_not, "disputed", ("goal",)),
    Spoiled("prefix passes", BOOK, prefix_passes, "weak", ("prefix", "trajectory_mutants")),
    Spoiled("ids as constants", BOOK, ids_as_constants, "disputed", ("alternatives", "goal", "grounding")),
    Spoiled("goal disagrees", MOVE, goal_disagrees, "disputed", ("goal",)),
    Spoiled("goal is missing", MOVE, goal_is_missing, "disputed", ("goal",)),
    Spoiled("goal does not run", MOVE, goal_is_broken, "disputed", ("goal",)),
    Spoiled("random answer", BOOK, answer_is_random, "broken", ("gold",)),
]


@pytest.mark.parametrize("case", SPOILED, ids=lambda case: case.name)
def test_what_is_spoiled_is_found(
    environment: Environment, spoiled: Callable[[str, Callable[[Raw], None]], Task], case: Spoiled
) -> None:
    report = audit(environment, spoiled(case.task, case.spoil), attack_calls=0, search_calls=0)
    failed = {result.gate: result.message for result in report.gates if result.status == "failed"}
    assert set(case.gates) <= set(failed), failed
    assert report.grade == case.grade, failed
    for result in report.gates:
        assert len(result.evidence) <= 5
        assert result.message or result.status == "passed"
        assert (result.status == "failed") >= bool(result.evidence)
