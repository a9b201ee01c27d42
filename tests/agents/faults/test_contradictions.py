"""Which plants contradict their own package, and how a fault is shown without the tester's fuzzer."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from envolve.agents.faults import Evidence, canonical, contradiction, difference, plants
from envolve.environments.models import Actor, ProbeCall
from envolve.environments.package import Environment

SAMPLE = Path(__file__).parents[2] / "data" / "table-booking"


@pytest.fixture(scope="module")
def sound() -> Environment:
    loaded = Environment.load(SAMPLE)
    return canonical(loaded, loaded.tasks.values())


def _told(sound: Environment, kind: str, note: str) -> str:
    """What the plant whose note holds `note` contradicts."""
    planted = next(each for each in plants(sound, kind) if note in each.note)
    calls = difference(sound, planted.environment)
    return contradiction(Evidence(sound, planted.environment, kind, planted.where, planted.note, calls))


def test_a_negated_guard_contradicts_its_message(sound: Environment) -> None:
    planted = next(plants(sound, "guard_negated"))
    found = contradiction(Evidence(sound, planted.environment, planted.kind, planted.where, planted.note))
    assert found.startswith("message: ")


def test_a_broken_invariant_is_a_contradiction(sound: Environment) -> None:
    names = {f"invariant: {each.name}" for each in sound.spec.invariants}
    told = (
        contradiction(
            Evidence(sound, each.environment, each.kind, each.where, each.note, difference(sound, each.environment))
        )
        for each in plants(sound, "guard_dropped")
    )
    assert any(found in names for found in islice(told, 6))


def test_a_log_that_nobody_speaks_of_is_left_to_a_reader(sound: Environment) -> None:
    assert _told(sound, "effect_missing", "INSERT INTO booking_events") == ""


def test_a_column_shown_under_the_name_of_another_is_a_contradiction(sound: Environment) -> None:
    assert _told(sound, "wrong_column", " AS name").startswith("the result is called")


def test_a_join_by_another_column_contradicts_the_foreign_key(sound: Environment) -> None:
    assert _told(sound, "wrong_join", "JOIN people AS p").startswith("foreign key bookings.person_id")


def test_rows_stand_twice_only_where_calls_show_them(sound: Environment) -> None:
    planted = next(plants(sound, "duplicate_rows"))
    calls = difference(sound, planted.environment)
    evidence = Evidence(sound, planted.environment, planted.kind, planted.where, planted.note, calls)
    assert contradiction(evidence) == "one row stands twice in one list"
    assert contradiction(evidence._replace(planted=sound)) == ""
    assert contradiction(evidence._replace(calls=())) == ""


def test_what_is_so_already_may_be_answered_in_silence(sound: Environment) -> None:
    planted = next(plants(sound, "guard_dropped"))
    told = Evidence(sound, sound, "error_swallowed", planted.where, planted.note)
    assert told.guard is not None
    read = ProbeCall(call="get_my_profile", actor=Actor(roles=("diner",), id=_diner(sound)))
    done = told._replace(where="tools.join_waitlist.steps.1", calls=(read,))
    assert contradiction(told._replace(calls=(read,))).startswith("answers as done and does nothing")
    assert done.guard is not None
    assert "already" in done.guard.error.message
    assert contradiction(done) == ""


def test_what_is_still_refused_contradicts_no_rule(sound: Environment) -> None:
    planted = next(each for each in plants(sound, "guard_dropped") if "'+60 days'" in each.note)
    calls = difference(sound, planted.environment)
    evidence = Evidence(sound, planted.environment, planted.kind, planted.where, planted.note, calls)
    refused = calls[-1].model_copy(update={"args": {**calls[-1].args, "table_id": -1}})
    assert "sixty days" in contradiction(evidence)
    assert contradiction(evidence._replace(calls=(*calls[:-1], refused))) == ""


def test_a_scope_is_missed_only_where_a_call_reaches_something(sound: Environment) -> None:
    planted = next(each for each in plants(sound, "actor_scope_missing") if "get_booking" in each.where)
    own = {"description": "One of your own bookings."}
    tools = planted.environment.tools_file.tools
    told = tuple(tool.model_copy(update=own) if tool.name == "get_booking" else tool for tool in tools)
    file = planted.environment.tools_file.model_copy(update={"tools": told})
    copy = Environment.build(spec=sound.spec, schema_sql=sound.schema_sql, seed_sql=sound.seed_sql, tools=file)
    calls = difference(sound, copy)
    evidence = Evidence(sound, copy, planted.kind, planted.where, planted.note, calls)
    refused = calls[-1].model_copy(update={"args": {"booking_id": -1}})
    assert contradiction(evidence) == "says: One of your own bookings."
    assert contradiction(evidence._replace(calls=(refused,))) == ""


def _diner(sound: Environment) -> int:
    return next(task.actor.id for task in sound.tasks.values() if "diner" in task.actor.roles)


def test_differences_are_found_without_the_testers_fuzzer() -> None:
    folder = Path(__file__).parents[3] / "agents" / "faults"
    names = ("difference.py", "observed.py", "slips.py", "values.py", "task_difference.py")
    imports = [line for name in names for line in (folder / name).read_text("utf-8").splitlines() if "import" in line]
    assert imports
    assert not [line for line in imports if "fuzzing" in line or "audit" in line or ".gates" in line]
