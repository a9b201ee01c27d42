"""An edit is held against the invariants that read what it touched, and against no others."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from envolve.environments import Environment
from envolve.environments.models import EnvironmentSpec, RowChange, ToolsFile
from envolve.eval.audit.invariants import invariant_reads, may_break

SCHEMA = """
CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
  total INTEGER NOT NULL, note TEXT, doubled INTEGER GENERATED ALWAYS AS (total * 2) VIRTUAL) STRICT;
CREATE TABLE lines (id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
  price INTEGER NOT NULL, note TEXT) STRICT;
CREATE VIEW sums AS SELECT order_id, sum(price) AS price FROM lines GROUP BY order_id;
CREATE VIEW noted AS SELECT lines.price FROM lines JOIN orders USING (note);
"""


def reads_of(sql: str) -> Any:
    spec = EnvironmentSpec.model_validate(
        {
            "id": "made",
            "scenario": "Orders",
            "clock": "2026-03-02 09:00:00",
            "roles": {"user": {"table": "users"}},
            "invariants": [{"name": "one", "sql": sql}],
        }
    )
    tools = ToolsFile.model_validate({"tools": [{"name": "look", "description": "Look", "kind": "read"}]})
    environment = Environment.build(
        spec=spec, schema_sql=SCHEMA, seed_sql="INSERT INTO users VALUES (1, 'Ada');", tools=tools
    )
    return invariant_reads(environment.kit)[sql]


def change(place: str, op: Literal["insert", "update", "delete"] = "update") -> RowChange:
    table, _, column = place.partition(".")
    return RowChange(table=table, op=op, key={"id": 1}, old={column: 1}, new={column: 2})


@pytest.mark.parametrize(
    ("sql", "read", "unread"),
    [
        ("SELECT id FROM orders WHERE total < 0", "orders.total", "orders.note"),
        (
            "SELECT 1 FROM orders o WHERE NOT EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)",
            "lines.order_id",
            "lines.price",
        ),
        (
            "SELECT o.id FROM orders o JOIN sums s ON s.order_id = o.id WHERE s.price <> o.total",
            "lines.price",
            None,
        ),
        ("SELECT lines.id FROM lines JOIN orders USING (note) WHERE price > total", "orders.note", "users.name"),
        ("SELECT id FROM users NATURAL JOIN lines", "lines.id", "orders.note"),
        ("SELECT price FROM noted WHERE price > 3", "orders.note", None),
        ('SELECT id FROM "orders" WHERE total < 0', "orders.total", None),
        ("SELECT id FROM orders WHERE doubled > 9", "orders.total", "lines.price"),
        ("SELECT * FROM lines WHERE price < 0", "lines.note", "orders.note"),
    ],
)
def test_columns_that_are_read_count(sql: str, read: str, unread: str | None) -> None:
    reads = reads_of(sql)
    assert may_break(reads, [change(read)])
    assert unread is None or not may_break(reads, [change(unread)])


def test_rows_that_come_and_go_count_wherever_a_table_is_read() -> None:
    reads = reads_of("SELECT 1 FROM users WHERE (SELECT count(*) FROM orders) > 3")
    assert may_break(reads, [change("orders.note", "insert")])
    assert may_break(reads, [change("orders.note", "delete")])
    assert not may_break(reads, [change("orders.note")]), "how many there are stays the same"
    assert not may_break(reads, [change("lines.note", "insert")])
