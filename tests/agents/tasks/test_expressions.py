"""How verifiers say a number that a run worked out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from envolve.agents.procedural.tasks.anchors import Anchors
from envolve.agents.procedural.tasks.comparisons import letter_by_letter
from envolve.agents.procedural.tasks.expressions import Expressions, Sources
from envolve.agents.procedural.tasks.schemas import TableShape
from envolve.agents.procedural.tasks.verifiers import VerifierWriter
from envolve.environments.models import RowChange, Verifier

SEED = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE requests (id INTEGER PRIMARY KEY, person_id INTEGER, asked_by INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, request_id INTEGER, total INTEGER);
CREATE TABLE things (id INTEGER PRIMARY KEY, price INTEGER);
INSERT INTO people VALUES (3, 'Ada'), (5, 'Ben');
INSERT INTO requests VALUES (31, 3, 5);
INSERT INTO orders VALUES (41, 31, 4800);
INSERT INTO things VALUES (71, 1200);
"""


class Rows:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values or {}).fetchall()


@pytest.fixture
def reader() -> Iterator[Rows]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SEED)
    yield Rows(connection)
    connection.close()


def shape(*columns: str, **references: str) -> TableShape:
    return TableShape(("id", *columns), "id", references, {}, (), frozenset(), {}, False)


TABLES = {
    "people": shape("name"),
    "requests": shape("person_id", "asked_by", person_id="people", asked_by="people"),
    "orders": shape("request_id", "total", request_id="requests"),
    "things": shape("price"),
}
SAID = Sources(frozenset(), (4,), frozenset(), (), frozenset(), "2026-03-02")


def test_what_named_rows_come_to_goes_before_a_far_row_that_holds_the_same_number(reader: Rows) -> None:
    """Four of a thing for 1200 are 4800, which a past order of the person happens to come to as well."""
    anchors = Anchors(reader, TABLES, [("people", 3), ("things", 71)])
    said = Expressions(TABLES, anchors, SAID).of("orders", "total", 4800)
    assert said == "(SELECT things.price FROM before.things WHERE things.id = 71) * 4"


def said(*texts: str, exact: frozenset[tuple[str, str]] = frozenset()) -> Sources:
    return SAID._replace(said_texts=frozenset(texts), tool_texts=frozenset({"Refund: "}), exact=exact)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Change of job", "same_text(note, 'Change of job')"),
        ("Refund: Change of job", "same_text(note, 'Refund: ' || 'Change of job')"),
        ("2026-03-07 19:30:00", "note = '2026-03-07 19:30:00'"),
        ("19:30", "note = '19:30'"),
        ("Refund: ", "note = 'Refund: '"),
        ("open", "note = 'open'"),
        ("never said", "note = 'never said'"),
    ],
)
def test_the_spelling_of_words_that_the_request_says_is_the_solvers(reader: Rows, text: str, held: str) -> None:
    """Dates, times, the texts of a CHECK, and what no request says are to the letter."""
    tables = {"notes": shape("note")._replace(words={"note": frozenset({"open", "closed"})})}
    sources = said("Change of job", "open", "19:30", "2026-03-07 19:30:00")
    expected = Expressions(tables, Anchors(reader, TABLES, []), sources).expected("notes", "note", text)
    assert expected.held("note") == held


def test_what_the_request_says_is_spelled_by_the_solver_where_a_tool_writes_the_same_elsewhere(reader: Rows) -> None:
    """A memo "goodwill", in a world in which a tool notes "goodwill" as its reason for points."""
    sources = said("goodwill")._replace(tool_texts=frozenset({"goodwill"}))
    expressions = Expressions({"notes": shape("note")}, Anchors(reader, TABLES, []), sources)
    assert expressions.expected("notes", "note", "goodwill").held("note") == "same_text(note, 'goodwill')"


def test_a_text_that_the_goal_compares_to_the_letter_is_so_required(reader: Rows) -> None:
    exact = letter_by_letter("SELECT n.note IS 'Bring tea' AND same_text(n.why, 'A guest') FROM inserted.notes n")
    assert exact == {("note", "Bring tea")}
    sources = said("Bring tea", "A guest", exact=exact)
    expressions = Expressions({"notes": shape("note", "why")}, Anchors(reader, TABLES, []), sources)
    assert not expressions.expected("notes", "note", "Bring tea").spelled
    assert expressions.expected("notes", "why", "A guest").missed("why") == "same_text(why, 'A guest') IS NOT 1"


def test_a_goal_that_takes_a_text_in_any_spelling_where_there_is_one_is_not_to_the_letter() -> None:
    goal = "SELECT coalesce(same_text(note, 'Bring tea'), note IS 'Bring tea') FROM inserted.notes"
    assert letter_by_letter(goal) == frozenset()


def test_a_far_row_is_named_where_nothing_near_comes_to_it(reader: Rows) -> None:
    anchors = Anchors(reader, TABLES, [("people", 3)])
    assert "before.orders" in Expressions(TABLES, anchors, SAID).of("orders", "total", 4800)


LATE = """
CREATE TABLE terms (id INTEGER PRIMARY KEY, days INTEGER, fine INTEGER);
CREATE TABLE titles (id INTEGER PRIMARY KEY, term_id INTEGER);
CREATE TABLE copies (id INTEGER PRIMARY KEY, title_id INTEGER);
CREATE TABLE loans (id INTEGER PRIMARY KEY, copy_id INTEGER, due_on TEXT);
INSERT INTO terms VALUES (1, 21, 50);
INSERT INTO titles VALUES (2, 1);
INSERT INTO copies VALUES (3, 2);
INSERT INTO loans VALUES (4, 3, '2026-02-09');
"""
LENT = {
    "terms": shape("days", "fine"),
    "titles": shape("term_id", term_id="terms"),
    "copies": shape("title_id", title_id="titles"),
    "loans": shape("copy_id", "due_on", copy_id="copies"),
    "fines": shape("days_late", "amount"),
}


def test_days_since_a_near_row_s_date_and_what_they_cost_are_worked_out() -> None:
    """What was due 21 days ago is 21 days late, at so much a day; that it was lent for 21 days is chance."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(LATE)
    expressions = Expressions(LENT, Anchors(Rows(connection), LENT, [("loans", 4)]), SAID)
    days, amount = expressions.of("fines", "days_late", 21), expressions.of("fines", "amount", 1050)
    connection.close()
    late = (
        "CAST(julianday(:today) - julianday((SELECT loans.due_on FROM before.loans WHERE loans.id = 4)) AS INTEGER)"
    )
    assert days == late
    assert amount.startswith("(SELECT terms.fine FROM before.terms WHERE ")
    assert amount.endswith(f" * {late}")


@pytest.mark.parametrize("noun", ["note", "members' note", "follow-up note", "Café note"])
def test_new_rows_are_bound_by_a_name_whatever_they_are_called(reader: Rows, noun: str) -> None:
    tables = {"notes": shape("note")}
    anchors = Anchors(reader, tables, [])
    row = RowChange(table="notes", op="insert", key={"id": 9}, new={"id": 9, "note": "Bring tea"})
    writer = VerifierWriter(tables, anchors, Expressions(tables, anchors, said("Bring tea")), {"notes": noun}, {})
    written = writer.write([row])
    assert Verifier(bind=written.bind, require=written.require, allow=written.allow).bind == written.bind
    assert written.bind


OFFERED = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE shows (id INTEGER PRIMARY KEY);
CREATE TABLE parties (id INTEGER PRIMARY KEY, person_id INTEGER, show_id INTEGER);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, party_id INTEGER);
CREATE TABLE offers (id INTEGER PRIMARY KEY, ticket_id INTEGER);
INSERT INTO people VALUES (3, 'Ada'), (5, 'Ben');
INSERT INTO shows VALUES (1), (2);
INSERT INTO parties VALUES (50, 3, 1), (51, 5, 2), (52, 5, 1);
INSERT INTO tickets VALUES (60, 50);
INSERT INTO offers VALUES (70, 60);
"""
OFFERS = {
    "people": shape("name"),
    "shows": shape(),
    "parties": shape("person_id", "show_id", person_id="people", show_id="shows"),
    "tickets": shape("party_id", party_id="parties"),
    "offers": shape("ticket_id", ticket_id="tickets"),
}


def test_a_row_is_named_by_two_that_lead_to_it_though_one_is_far() -> None:
    """Whoever accepts a ticket gets it into their own party for the show that it is for."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(OFFERED)
    named = Anchors(Rows(connection), OFFERS, [("people", 5), ("offers", 70)]).id_of("parties", 52)
    connection.execute("ATTACH ':memory:' AS before")
    for name in OFFERS:
        connection.execute(f"CREATE TABLE before.{name} AS SELECT * FROM main.{name}")
    assert "parties.person_id = 5" in named
    assert connection.execute(f"SELECT {named}").fetchall() == [(52,)]
    connection.close()


def test_what_a_new_row_takes_from_a_changed_one_is_said_by_it(reader: Rows) -> None:
    """An invoice over an order's total less the discount that was given just before."""
    tables = {
        **TABLES,
        "orders": shape("request_id", "total", "discount", request_id="requests"),
        "bills": shape("amount"),
    }
    reader.rows("ALTER TABLE orders ADD COLUMN discount INTEGER")
    given = RowChange(table="orders", op="update", key={"id": 41}, old={"discount": None}, new={"discount": 720})
    sources = SAID._replace(updated=(given,))
    amount = Expressions(tables, Anchors(reader, tables, [("orders", 41)]), sources).of("bills", "amount", 4080)
    assert amount == (
        "((SELECT orders.total FROM before.orders WHERE orders.id = 41)"
        " - (SELECT orders.discount FROM after.orders WHERE orders.id = 41))"
    )


def test_a_near_number_times_a_constant_of_a_tool_goes_before_chance(reader: Rows) -> None:
    """A deposit of two rents, which a far order's total by what was said and halved comes to as well."""
    anchors = Anchors(reader, TABLES, [("people", 3), ("things", 71)])
    sources = SAID._replace(said_numbers=(1,), tool_numbers=(2,))
    deposit = Expressions(TABLES, anchors, sources).of("orders", "total", 2400)
    assert deposit == "(SELECT things.price FROM before.things WHERE things.id = 71) * 2"


BILLED = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE bills (id INTEGER PRIMARY KEY, person_id INTEGER, amount INTEGER, excess INTEGER);
CREATE TABLE payments (id INTEGER PRIMARY KEY, bill_id INTEGER, amount INTEGER);
INSERT INTO people VALUES (1, 'Ada');
WITH RECURSIVE numbers(value) AS (VALUES (21) UNION ALL SELECT value + 1 FROM numbers WHERE value < 50)
INSERT INTO bills SELECT value, 1, 7000 + value, 310 FROM numbers;
INSERT INTO payments VALUES (91, 44, 2500), (92, 44, 1100), (93, 45, 600);
"""
BILLS = {
    "people": shape("name"),
    "bills": shape("person_id", "amount", "excess", person_id="people"),
    "payments": shape("bill_id", "amount", bill_id="bills")._replace(numbers=("amount",)),
}


@pytest.mark.parametrize(
    ("value", "terms"),
    [(7044 - 3600, ("bills.amount", "sum(payments.amount)")), (3600 - 310, ("sum(payments.amount)", "bills.excess"))],
)
def test_what_belongs_to_a_row_that_was_looked_up_counts_however_many_are_nearer(
    value: int, terms: tuple[str, str]
) -> None:
    """What is left of one bill of many, and what was paid on it beyond what one bears oneself."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(BILLED)
    roots = [("people", 1), *(("bills", bill) for bill in range(21, 40))]
    anchors = Anchors(Rows(connection), BILLS, roots, seen=[("bills", 44)])
    amount = Expressions(BILLS, anchors, SAID).of("payments", "amount", value)
    connection.execute("ATTACH ':memory:' AS before")
    for name in BILLS:
        connection.execute(f"CREATE TABLE before.{name} AS SELECT * FROM main.{name}")
    assert connection.execute(f"SELECT {amount}").fetchall() == [(value,)]
    assert amount.index(terms[0]) < amount.index(terms[1])
    connection.close()
