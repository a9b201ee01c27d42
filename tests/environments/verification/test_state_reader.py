"""Queries over the states before and after."""

from __future__ import annotations

import apsw
import pytest

from envolve.environments import Environment
from envolve.environments.connections import connected
from envolve.environments.models import Task
from envolve.environments.verification import SqlProblem, StateReader

from ..conftest import MakeEnvironment
from .ends import BOOKED, DONE, LEFT, End, ended


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


KEYED = """
CREATE TABLE cards (id INTEGER NOT NULL PRIMARY KEY, slug TEXT UNIQUE, n REAL) STRICT;
CREATE TABLE looks (card_id INTEGER NOT NULL PRIMARY KEY REFERENCES cards (id), color TEXT) STRICT;
"""
KEYED_SEED = (
    "INSERT INTO cards VALUES (1, 'a', 1), (2, 'b', 0.5), (3, NULL, NULL); INSERT INTO looks VALUES (1, 'red');"
)
LINKS = "CREATE TABLE links (a INTEGER NOT NULL, b INTEGER NOT NULL, note TEXT, PRIMARY KEY (a, b)) STRICT;"
LINKS_SEED = "INSERT INTO links VALUES (1, 2, 'x'), (2, 1, 'x'), (1, 3, 'y');"

ADDED = ["INSERT INTO cards VALUES (7, 'd', 2)", "INSERT INTO cards VALUES (5, 'é', -0.0)"]
SWAPPED = [f"UPDATE cards SET slug = '{slug}' WHERE id = {id}" for id, slug in ((1, "x"), (2, "a"), (1, "b"))]
MADE_AGAIN = ["DELETE FROM cards WHERE id = 3", "INSERT INTO cards VALUES (3, 'c', 4)"]
RENUMBERED = ["UPDATE cards SET id = 9 WHERE id = 2", "UPDATE cards SET n = n + 1"]
BACK = ["DELETE FROM links WHERE a = 1", "INSERT INTO links VALUES (1, 3, 'y'), (1, 2, 'x')"]
NOTHING_NET = ["DELETE FROM links WHERE note = 'x'", "INSERT INTO links VALUES (1, 2, 'x'), (2, 1, 'x')"]


@pytest.mark.parametrize("statements", [ADDED, SWAPPED, MADE_AGAIN, RENUMBERED, BACK, NOTHING_NET])
def test_an_end_state_is_shown_to_the_last_detail(make_environment: MakeEnvironment, statements: list[str]) -> None:
    """Also where its rows cannot be put one after the other, and where they lie in another order than their keys."""
    linked = any("links" in sql for sql in statements)
    environment = make_environment(KEYED + LINKS * linked, KEYED_SEED + LINKS_SEED * linked)
    after, changes = ended(environment, environment.image, statements)
    other, others = ended(
        environment, environment.image, ["DELETE FROM looks", "INSERT INTO cards VALUES (7, 'z', 1)"]
    )
    with StateReader(environment, environment.image) as reader, connected(after) as connection:
        for _ in range(2):
            reader.show(other, others)
            assert reader.query("SELECT * FROM deleted.looks") == [(1, "red")]
            reader.show(after, changes)
            assert reader.query("SELECT * FROM deleted.looks") == []
            for table in environment.tables():
                found = list(connection.execute(f"SELECT rowid, * FROM {table}"))
                assert reader.query(f"SELECT rowid, * FROM after.{table}") == found, table


def test_triggers_do_not_act_on_what_is_shown(make_environment: MakeEnvironment) -> None:
    schema = "CREATE TABLE kept (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL) STRICT;"
    schema += "CREATE TRIGGER counted AFTER INSERT ON kept BEGIN UPDATE kept SET n = n + 1; END;"
    environment = make_environment(schema, "INSERT INTO kept VALUES (1, 0);")
    after, changes = ended(environment, environment.image, ["INSERT INTO kept VALUES (2, 5)"])
    with StateReader(environment, environment.image) as reader:
        reader.show(after, changes)
        assert reader.query("SELECT * FROM after.kept") == [(1, 1), (2, 6)]
