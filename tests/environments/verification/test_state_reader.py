"""Queries over the states before and after."""

from __future__ import annotations

import apsw
import pytest

from envolve.environments import Environment
from envolve.environments.models import Task
from envolve.environments.verification import SqlProblem, StateReader

from .ends import BOOKED, DONE, LEFT, End


def test_a_reader_shows_one_end_state_after_the_other(
    reader: StateReader, environment: Environment, terrace: Task
) -> None:
    new, gone = "SELECT id FROM inserted.bookings", "SELECT id FROM deleted.waitlist"
    assert reader.query("SELECT count(*) FROM after.bookings EXCEPT SELECT count(*) FROM before.bookings") == []
    assert reader.query(new) == reader.query(gone) == []
    seeded = int(str(reader.value("SELECT count(*) FROM before.bookings")))
    for statements, added, deleted in [(DONE, [(1900,)], [(71,)]), ([LEFT], [], [(71,)]), ([BOOKED], [(1900,)], [])]:
        end = End(environment, terrace, *statements)
        reader.show(end.after, end.changes)
        assert (reader.query(new), reader.query(gone)) == (added, deleted)
        assert reader.query("SELECT count(*) FROM after.bookings") == [(seeded + len(added),)]
        assert reader.query("SELECT count(*) FROM before.bookings") == [(seeded,)]
    reader.show_seed()
    assert reader.query(new) == reader.query(gone) == []


def test_an_open_world_can_be_shown(reader: StateReader, environment: Environment, terrace: Task) -> None:
    end = End(environment, terrace, *DONE)
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", end.after)
    reader.show(connection, end.changes)
    assert reader.value("SELECT note FROM after.bookings WHERE id = 1900") == "Window side,  no music"


def test_names_without_schema_mean_the_seed_state(
    reader: StateReader, environment: Environment, terrace: Task
) -> None:
    end = End(environment, terrace, "UPDATE restaurants SET name = 'Changed' WHERE id = 31")
    reader.show(end.after, end.changes)
    assert reader.value("SELECT name FROM restaurants WHERE id = 31") == "Osteria Lume"
    assert reader.value("SELECT name FROM after.restaurants WHERE id = 31") == "Changed"


def test_the_worlds_time_actor_and_functions_are_there(reader: StateReader) -> None:
    assert reader.query("SELECT :now, :today, :actor_id, datetime('now')") == [
        ("2026-03-02 09:00:00", "2026-03-02", 204, "2026-03-02 09:00:00")
    ]
    assert reader.holds("SELECT fold('É') = 'e' AND same_text('José', 'JOSE') AND has_word('Ada Lindqvist', 'ada')")
    assert reader.value("SELECT minutes_between(:now, '2026-03-02 10:30:00')") == 90
    assert reader.value("SELECT count(*) FROM bookings WHERE status = 'confirmed' AND starts_at > :now") == 9
    assert reader.value("SELECT :x + 1", {"x": 2}) == 3
    assert reader.records("SELECT id, label FROM dining_tables WHERE id = 517") == [{"id": 517, "label": "L1"}]
    assert reader.records("SELECT id, label FROM dining_tables WHERE id = 0") == []


@pytest.mark.parametrize("sql", ["SELECT 0", "SELECT NULL", "SELECT 'yes'", "SELECT 1 WHERE 0", "SELECT 0.0"])
def test_what_is_not_true(reader: StateReader, sql: str) -> None:
    assert not reader.holds(sql)


def test_common_table_expressions_run(reader: StateReader) -> None:
    assert (
        reader.value("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT count(*) FROM n")
        == 9
    )


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM after.bookings",
        "DELETE FROM inserted.bookings",
        'INSERT INTO inserted."bookings" ("id") VALUES (?)',
        "UPDATE before.bookings SET note = 'x'",
        "CREATE TEMP TABLE t (x)",
        "DROP TABLE before.bookings",
        "ATTACH ':memory:' AS other",
        "DETACH after",
        "PRAGMA page_size",
        "SELECT * FROM pragma_table_info('bookings')",
        "SELECT * FROM sqlite_schema",
        "SELECT count(*) FROM dbstat",
        "SELECT * FROM after.sqlite_schema",
        "SELECT random()",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM after.bookings",
        "SELECT * FROM nowhere",
        "SELECT * FROM inserted.nowhere",
        "SELECT :unknown",
        "SELECT",
        "SELECT '\0'",
        "SELECT zeroblob(100000000)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    ],
)
def test_what_reading_must_not_do_is_a_problem_with_a_message(
    reader: StateReader, environment: Environment, terrace: Task, sql: str
) -> None:
    end = End(environment, terrace, *DONE)
    reader.show(end.after, end.changes)
    with pytest.raises(SqlProblem):
        reader.query(sql)
    assert reader.value("SELECT count(*) - (SELECT count(*) FROM before.bookings) FROM after.bookings") == 1
    assert reader.value("SELECT count(*) FROM inserted.bookings") == 1


def test_one_reader_gives_the_verdicts_of_many(environment: Environment, terrace: Task, reader: StateReader) -> None:
    ends = [End(environment, terrace, *statements) for statements in ([], [BOOKED], DONE, [LEFT], DONE)]
    assert [end.verdict(reader=reader) for end in ends] == [end.verdict() for end in ends]
