"""Gold programs: references, picks, repetition, and failures that say what went wrong."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envolve.environments import Environment, structure_features
from envolve.environments.gold import GoldRun, run_gold, written
from envolve.environments.gold.references import resolve
from envolve.environments.models import Task

DATA = Path(__file__).parent.parent / "data"
FRIDAY = "2026-03-06"
DINER, HOST = {"roles": ["diner"], "id": 204}, {"roles": ["host"], "id": 305}


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(DATA / "table-booking")


def task(
    *steps: dict[str, Any], actor: dict[str, Any] = HOST, submit: dict[str, Any] | None = None, **more: Any
) -> Task:
    gold = [*steps, {"submit": submit or {}}]
    return Task.model_validate(
        {"id": "t", "instruction": "Do it.", "actor": actor, "goal": {"text": "done"}, "gold": gold, **more}
    )


def run(environment: Environment, *steps: dict[str, Any], **more: Any) -> GoldRun:
    return run_gold(environment, task(*steps, **more))


def failure(environment: Environment, *steps: dict[str, Any], **more: Any) -> tuple[int, str]:
    ran = run(environment, *steps, **more)
    assert ran.failure is not None
    return ran.failure


BOOKINGS = {"call": "list_restaurant_bookings", "args": {"on_date": FRIDAY, "status": "confirmed"}, "as": "bookings"}
NONE = {"call": "list_restaurant_bookings", "args": {"on_date": "2030-01-01"}, "as": "none"}
TABLES = {"call": "list_tables", "args": {"restaurant_id": 31}, "as": "tables"}
ME = {"call": "get_my_profile", "as": "me"}


@pytest.mark.parametrize("name", ["book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"])
def test_gold_completes_its_task_and_does_so_again(environment: Environment, name: str) -> None:
    first, second = (run_gold(environment, environment.tasks[name]) for _ in range(2))
    assert first.ok
    assert (first.signature, first.submission) == (second.signature, second.submission)
    with environment.open(name) as episode:
        run_gold(environment, environment.tasks[name], episode=episode)
        assert episode.verify().outcome == "completed"


def test_each_call_tells_what_it_sent_and_changed(environment: Environment) -> None:
    ran = run_gold(environment, environment.tasks["move-the-anniversary-dinner"])
    assert [(call.step, call.call) for call in ran.steps] == [
        (0, "list_restaurant_bookings"),
        (2, "list_tables"),
        (4, "move_booking"),
    ]
    assert ran.steps[2].args == {"booking_id": 1806, "table_id": 529, "party_size": 6}
    assert {change.table for change in ran.steps[2].changes} == {"bookings", "booking_events"}
    assert ran.picks["booking"]["starts_at"] == "2026-03-06 19:30:00"
    assert ran.calls == 3
    assert [change.key for change in ran.changes.rows if change.table == "bookings"] == [{"id": 1806}]


def test_picks_choose_from_what_was_seen(environment: Environment) -> None:
    ran = run(
        environment,
        BOOKINGS,
        TABLES,
        {"pick": "largest", "sql": "SELECT id, party_size FROM $bookings ORDER BY party_size DESC, id LIMIT 1"},
        {"pick": "quiet", "sql": "SELECT label FROM $tables WHERE features LIKE '%quiet%'", "many": True},
        {
            "pick": "joined",
            "sql": "SELECT $bookings.guest_name, t.seats FROM $bookings JOIN $tables t ON t.id = $bookings.table_id"
            " WHERE has_word(guest_name, 'ALVAREZ') AND $bookings.starts_at > :now -- not FROM $nowhere",
        },
        {
            "pick": "again",
            "sql": "SELECT guest_name AS name FROM $joined WHERE '$bookings' <> 'x' AND :actor_id = 305",
        },
        {"pick": "by_value", "sql": "SELECT seats FROM $tables WHERE id > $largest.id - 1300 ORDER BY id LIMIT 1"},
        {"pick": "flag", "sql": "SELECT json_extract(features, '$[0]') AS first FROM $tables WHERE label = 'L1'"},
    )
    assert ran.failure is None
    assert ran.picks == {
        "largest": {"id": 1828, "party_size": 9},
        "quiet": [{"label": "L3"}, {"label": "L5"}],
        "joined": {"guest_name": "José Álvarez", "seats": 10},
        "again": {"name": "José Álvarez"},
        "by_value": {"seats": 6},
        "flag": {"first": "window"},
    }
    assert ran.chosen[2].sources == {"bookings": 4, "tables": 6}


def test_results_of_every_shape_can_be_picked_from(environment: Environment) -> None:
    ran = run(
        environment,
        {"call": "count_expected_guests", "args": {"restaurant_id": 31, "on_date": FRIDAY}, "as": "count"},
        {"call": "get_booking", "args": {"booking_id": 1806}, "as": "one"},
        {"pick": "number", "sql": "SELECT value FROM $count"},
        {"pick": "note", "sql": "SELECT note FROM $one"},
        NONE,
        {"pick": "none_there", "sql": "SELECT count(*) AS n, sum(party_size) AS guests FROM $none"},
        submit={"answer": ["$number", "$note", "$none_there.guests", "$count.value"]},
    )
    assert ran.submission is not None
    assert ran.submission.answer == [24, "Wedding anniversary, quiet table please", None, 24]
    left = run(
        environment,
        {"call": "leave_waitlist", "args": {"restaurant_id": 43}, "as": "left"},
        {"pick": "fine", "sql": "SELECT ok FROM $left"},
        actor=DINER,
    )
    assert left.picks == {"fine": {"ok": 1}}


def test_references_go_anywhere_in_arguments(environment: Environment) -> None:
    ran = run(
        environment,
        ME,
        BOOKINGS,
        {"pick": "first", "sql": "SELECT id, table_id FROM $bookings ORDER BY id LIMIT 1"},
        {
            "call": "move_booking",
            "args": {"booking_id": "$first.id", "table_id": "$bookings.items.2.table_id"},
        },
        {
            "call": "book_table",
            "args": {
                "table_id": "$first.table_id",
                "starts_at": "2026-03-08 19:30:00",
                "party_size": 2,
                "person_id": 209,
                "note": "$$20 deposit; see $me",
            },
        },
        submit={"answer": {"deep": [{"restaurant": "$me.restaurant_name"}], "escaped": "$$me"}},
    )
    note = next(change.new["note"] for change in ran.changes.rows if change.op == "insert" and "note" in change.new)
    assert note == "$20 deposit; see $me"
    assert ran.submission is not None
    assert ran.submission.answer == {"deep": [{"restaurant": "Osteria Lume"}], "escaped": "$me"}


def test_a_call_can_be_repeated_for_each(environment: Environment) -> None:
    ran = run(
        environment,
        BOOKINGS,
        {"pick": "small", "sql": "SELECT id FROM $bookings WHERE party_size < 6 ORDER BY id", "many": True},
        {"each": "$small", "call": "get_booking", "args": {"booking_id": "$it.id"}, "as": "looked"},
        {"each": "$small", "call": "cancel_booking", "args": {"booking_id": "$it", "reason": "closed"}, "as": "gone"},
        {"pick": "statuses", "sql": "SELECT DISTINCT status FROM $gone"},
        {"each": "$looked", "call": "get_booking", "args": {"booking_id": "$it.id"}},
        submit={"answer": "$small"},
    )
    assert ran.failure is None
    assert [(call.step, call.turn, call.args["booking_id"]) for call in ran.steps[1:5]] == [
        (2, 0, 1806),
        (2, 1, 1815),
        (3, 0, 1806),
        (3, 1, 1815),
    ]
    assert ran.picks["statuses"] == {"status": "cancelled"}
    assert ran.submission is not None
    assert ran.submission.answer == [1806, 1815]


def test_rows_of_an_answer_stay_rows(environment: Environment) -> None:
    pick = {"pick": "guests", "sql": "SELECT guest_name FROM $bookings ORDER BY id", "many": True}
    rows = {"kind": "rows", "columns": {"guest_name": "text"}, "sql": "SELECT name AS guest_name FROM people"}
    ran = run(environment, BOOKINGS, pick, submit={"answer": "$guests"}, verifier={"answer": rows})
    assert ran.submission is not None
    assert ran.submission.answer[0] == {"guest_name": "Ada Lindqvist"}


def test_an_answer_is_kept_before_anything_asks_for_it(environment: Environment) -> None:
    ran = run(environment, ME, submit={"answer": "$me.name"})
    assert ran.ok
    assert ran.submission is not None
    assert ran.submission.answer == "Nadia Haddad"


def test_pages_are_followed_as_anyone_would(environment: Environment) -> None:
    first = {"call": "find_restaurants", "as": "first"}
    pick = {"pick": "worst", "sql": "SELECT id FROM $first WHERE name = 'The Copper Kettle'"}
    step, message = failure(environment, first, pick)
    assert (step, message) == (1, "pick worst: found 0 rows instead of one ($first has 3 rows)")
    more = {"call": "find_restaurants", "args": {"offset": "$first.next_offset"}, "as": "second"}
    ran = run(environment, first, more, {**pick, "sql": pick["sql"].replace("$first", "$second")})
    assert ran.picks["worst"] == {"id": 34}


def test_a_prefix_and_a_program_with_steps_left_out(environment: Environment) -> None:
    move = environment.tasks["move-the-anniversary-dinner"]
    prefix = run_gold(environment, move, until=4)
    assert (prefix.ok, prefix.calls, prefix.submission, prefix.changes.rows) == (True, 2, None, ())
    without = run_gold(environment, move, skip={4})
    assert (without.ok, without.calls, without.changes.rows) == (True, 2, ())
    assert without.submission is not None
    broken = run_gold(environment, move, skip={2})
    assert broken.failure is not None
    assert broken.failure.step == 3
    assert "$tables" in broken.failure.message


def test_an_episode_that_is_given_stays_open(environment: Environment) -> None:
    move = environment.tasks["move-the-anniversary-dinner"]
    with environment.open(move) as episode:
        episode.call("get_my_profile")
        ran = run_gold(environment, move, until=5, episode=episode)
        assert [len(call.changes) for call in ran.steps] == [0, 0, 2]
        assert not episode.closed
        assert episode.call("get_booking", booking_id=1806).value["table_id"] == 529


def test_calls_that_a_fault_fails_are_made_again(environment: Environment) -> None:
    plain = environment.tasks["move-the-anniversary-dinner"]
    faults = [
        {"tool": "move_booking", "call": 1, "times": 2, "kind": "conflict"},
        {"tool": "list_tables", "call": 1, "kind": "error"},
    ]
    disturbed = Task.model_validate({**plain.model_dump(by_alias=True, exclude_unset=True), "faults": faults})
    ran = run_gold(environment, disturbed)
    assert ran.ok
    assert [(call.call, call.result.ok) for call in ran.steps] == [
        ("list_restaurant_bookings", True),
        ("list_tables", False),
        ("list_tables", True),
        ("move_booking", False),
        ("move_booking", False),
        ("move_booking", True),
    ]
    assert ran.signature == run_gold(environment, plain).signature


@pytest.mark.parametrize(
    ("steps", "step", "parts"),
    [
        ([{"call": "fly"}], 0, ["fly", "not_found"]),
        ([{"call": "get_booking", "args": {"booking_id": 1}}], 0, ["get_booking(booking_id=1)", "not_found"]),
        ([{"call": "get_booking", "args": {"booking_id": "1806"}}], 0, ["invalid_argument", "'1806'"]),
        ([{"call": "join_waitlist", "args": {}}], 0, ["forbidden"]),
        ([{"call": "get_booking", "args": {"booking_id": "$b.id"}}], 0, ["$b.id", "not known", "known: none"]),
        ([ME, {"call": "get_booking", "args": {"booking_id": "$me.booking"}}], 1, ["$me.booking", "restaurant_name"]),
        ([ME, {"call": "get_booking", "args": {"booking_id": "$me.id.x"}}], 1, ["$me.id.x", "305"]),
        ([BOOKINGS, {"call": "get_booking", "args": {"booking_id": "$bookings.items.9.id"}}], 1, ["list of 4"]),
        ([ME, {"call": "find_people", "args": {"name": "$20"}}], 1, ["'$20'", "$$"]),
        ([ME, {"each": "$me.name", "call": "get_my_profile"}], 1, ["each", "not a list", "Nadia"]),
        ([BOOKINGS, {"pick": "b", "sql": "SELECT id FROM $bookings"}], 1, ["pick b", "4 rows instead of one"]),
        ([NONE, {"pick": "b", "sql": "SELECT guest_name FROM $none WHERE party_size > 2"}], 1, ["$none has 0 rows"]),
        ([BOOKINGS, {"pick": "b", "sql": "SELECT mood FROM $bookings"}], 1, ["pick b", "no such column: mood"]),
        ([{"pick": "b", "sql": "SELECT id FROM $bookings"}], 0, ["$bookings", "not known"]),
        ([{"pick": "b", "sql": "SELECT $bookings.id"}], 0, ["$bookings.id", "not known"]),
        ([ME, {"pick": "b", "sql": "SELECT FROM $me"}], 1, ["pick b", "syntax error"]),
        ([ME, {"pick": "b", "sql": "SELECT :mood FROM $me"}], 1, ["pick b", "binds :mood"]),
    ],
)
def test_failures_say_where_and_why(
    environment: Environment, steps: list[dict[str, Any]], step: int, parts: list[str]
) -> None:
    at, message = failure(environment, *steps)
    assert at == step
    assert [part for part in parts if part not in message] == [], message


def test_a_refused_submission_is_a_failure(environment: Environment) -> None:
    answer = {"kind": "choice", "options": ["a", "b"], "value": "a"}
    step, message = failure(environment, ME, submit={"answer": "$me.name"}, verifier={"answer": answer})
    assert step == 1
    assert "submit failed" in message
    assert "invalid_argument" in message


REFUSED_PICKS = {
    "attach": "ATTACH ':memory:' AS other",
    "pragma": "PRAGMA database_list",
    "random": "SELECT random() AS r",
    "random by another name": 'SELECT "random"() AS r',
    "the machine's time zone": "SELECT datetime('now', 'localtime') AS r",
    "delete": "DELETE FROM $tables RETURNING id",
    "insert": "INSERT INTO $tables (id) VALUES (1) RETURNING id",
    "drop": "DROP TABLE $tables",
    "two statements": "SELECT 1 AS id; DROP TABLE $tables",
    "schema": "SELECT name FROM sqlite_schema",
    "virtual table": "CREATE VIRTUAL TABLE x USING fts5 (a)",
    "eponymous table": "SELECT count(*) AS n FROM dbstat",
    "pragma in capitals": "SELECT count(*) AS n FROM PRAGMA_module_list",
    "version": "SELECT sqlite_version() AS v",
    "extension": "SELECT load_extension('/tmp/x.so') AS x",
    "invalid text": "SELECT char(55296) AS x",
    "endless": "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) AS n FROM c",
    "too much": "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)"
    " SELECT printf('%.*c', 200000, i) AS t FROM c",
    "long search": "SELECT instr(printf('%.*c', 4000000, 'a'), printf('%.*c', 2000000, 'a') || 'b') AS n",
}


@pytest.mark.parametrize("name", REFUSED_PICKS)
def test_picks_only_read_what_was_seen(environment: Environment, name: str) -> None:
    step, message = failure(environment, TABLES, {"pick": "table", "sql": REFUSED_PICKS[name], "many": True})
    assert step == 1
    assert message.startswith("pick table: ")


def test_picks_may_use_the_worlds_functions_and_recursion(environment: Environment) -> None:
    sql = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)"
        " SELECT max(i) AS i, fold('É') AS e, (SELECT count(*) FROM $tables, json_each(features)) AS f FROM n"
    )
    assert run(environment, TABLES, {"pick": "found", "sql": sql}).picks == {"found": {"i": 5, "e": "e", "f": 5}}


def test_what_a_person_says_can_be_used(environment: Environment) -> None:
    asking = task(
        {"call": "say", "args": {"text": "Which day?"}, "as": "told"},
        {"pick": "day", "sql": "SELECT reply FROM $told"},
        {"call": "list_restaurant_bookings", "args": {"on_date": "$day.reply", "guest_name": "Ada"}, "as": "found"},
        {"pick": "booking", "sql": "SELECT id FROM $found WHERE note LIKE '%anniversary%'"},
        user={"facts": {"day": "2026-03-06"}},
    )
    ran = run_gold(environment, asking)
    assert (ran.failure, ran.picks["booking"]) == (None, {"id": 1806})
    assert structure_features(environment, asking, ran)["calls"] == 2


def test_a_long_answer_of_a_person_is_a_failure(environment: Environment) -> None:
    told = {"call": "say", "args": {"text": "Tell me"}, "as": "told"}
    facts = {"facts": {"story": "x" * 300_000}, "reveal_when": {"story": ["tell"]}}
    step, message = failure(environment, told, {"pick": "p", "sql": "SELECT reply FROM $told"}, user=facts)
    assert (step, message) == (0, "$told cannot be a table: string or blob too big")


def test_submit_is_no_call(environment: Environment) -> None:
    assert failure(environment, {"call": "submit", "args": {"status": "done"}})[0] == 0


texts = st.text("$a.0", max_size=4)


@given(st.recursive(texts | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(texts, inner)))
def test_whatever_is_written_is_resolved_to_itself(value: Any) -> None:
    assert resolve(written(value), {}) == value
