"""SQL as text: what is put in its place runs, and means what it did."""

from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.procedural.tasks.sqltext import Sql, bound_names, in_schema, inline, literal

VALUES = st.one_of(
    st.none(), st.integers(-(2**53), 2**53), st.text(st.characters(codec="utf-8", exclude_characters="\0"))
)


@given(VALUES)
@settings(derandomize=True, database=None, max_examples=80)
def test_literals_give_back_their_value(value: Any) -> None:
    assert apsw.Connection(":memory:").execute(f"SELECT {literal(value)}").fetchall() == [(value,)]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
@settings(derandomize=True, database=None, max_examples=60)
def test_values_put_in_stay_values(value: str) -> None:
    sql = inline("SELECT :x, ':x', {x} -- :x", {"x": value})
    assert apsw.Connection(":memory:").execute(sql).fetchall() == [(value, ":x", value)]


def test_names_are_found_and_kept() -> None:
    sql = "SELECT :a, {b}, ':c', \"d:e\" FROM t WHERE t = '12:30' AND day = :today"
    assert bound_names(sql) == {"a", "b", "today"}
    assert inline(sql, {"a": 1, "b": (1, 2)}, keep={"today"}).endswith("day = :today")
    assert inline(":a", {"a": Sql("SELECT 1")}) == "(SELECT 1)"
    with pytest.raises(KeyError):
        inline(":a", {})


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t",
        "SELECT t.a FROM t JOIN u ON u.b = t.a WHERE EXISTS (SELECT 1 FROM u, t AS other WHERE other.a = u.b)",
        "SELECT (SELECT count(*) FROM u) FROM t LEFT JOIN (SELECT b FROM u) x ON x.b = t.a WHERE 't' <> 'FROM u'",
        "WITH t2 AS (SELECT a FROM t), r(b) AS (SELECT a FROM t2) SELECT * FROM r, u WHERE u.b IN (SELECT b FROM r)",
        "SELECT a FROM t WHERE a IN (SELECT value FROM json_each('[1]')) UNION SELECT b FROM u ORDER BY 1",
    ],
)
def test_tables_are_put_into_a_schema(sql: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("ATTACH ':memory:' AS before; CREATE TABLE t (a, u); CREATE TABLE u (b)")
    connection.execute("CREATE TABLE before.t (a, u); CREATE TABLE before.u (b)")
    connection.execute("INSERT INTO before.t VALUES (1, 2), (3, 4); INSERT INTO before.u VALUES (1)")
    moved = connection.execute(in_schema(sql, "before")).fetchall()
    assert connection.execute(sql).fetchall() != moved
    connection.execute("INSERT INTO t SELECT * FROM before.t; INSERT INTO u SELECT * FROM before.u")
    assert connection.execute(sql).fetchall() == moved


def test_named_schemas_stay() -> None:
    assert in_schema("SELECT 1 FROM after.t JOIN u", "before") == "SELECT 1 FROM after.t JOIN before.u"
