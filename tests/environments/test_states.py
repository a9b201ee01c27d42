"""State equality, rule by rule: what is ignored, what is renamed, what is ranked."""

import apsw
import pytest

from envolve.environments import Environment
from envolve.environments.states import state_signature

from .boards import boards, by_sql


@pytest.fixture(scope="module")
def environment() -> Environment:
    return boards()


def linked(card: int, line: int = 1, text: str = "t") -> list[str]:
    """A new card, a link from it, and a note on the link."""
    return [
        f"INSERT INTO cards VALUES ({card}, 11, NULL, 'n', NULL, NULL)",
        f"INSERT INTO links VALUES ({card}, 22, 'x')",
        f"INSERT INTO notes VALUES ({card}, 22, {line}, '{text}')",
    ]


def marked(card: int, kind: str = "x") -> list[str]:
    """A link to a new card, and an old mark moved to it by one of its two columns."""
    return [
        f"INSERT INTO cards VALUES ({card}, 11, NULL, 'n', NULL, NULL)",
        f"INSERT INTO links VALUES (21, {card}, '{kind}')",
        f"UPDATE marks SET to_id = {card}",
    ]


SAME = {
    "references by several columns": (linked(51), linked(61)),
    "a reference of which one column changed": (marked(51), marked(61)),
    "two alike rows with rows of their own": (linked(51) + linked(52, text="u"), linked(61, text="u") + linked(62)),
    "clock columns": (["UPDATE cards SET created_at = 'now' WHERE id = 21"], []),
    "code columns": (["UPDATE cards SET slug = 'new' WHERE id = 21"], []),
    "log tables": (["INSERT INTO log VALUES (99, 21, 'y')", "DELETE FROM log WHERE id = 31"], []),
    "ids of new rows": (["INSERT INTO boards VALUES (7, 'b')"], ["INSERT INTO boards VALUES (8, 'b')"]),
    "codes that are keys": (["INSERT INTO tickets VALUES ('T2', 21)"], ["INSERT INTO tickets VALUES ('T9', 21)"]),
    "references to new rows": (
        ["INSERT INTO boards VALUES (7, 'b')", "INSERT INTO looks VALUES (7, 'red')"],
        ["INSERT INTO boards VALUES (9, 'b')", "INSERT INTO looks VALUES (9, 'red')"],
    ),
    "an old row that points to a new one": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'n', NULL, NULL)", "UPDATE cards SET parent_id = 51 WHERE id = 21"],
        ["INSERT INTO cards VALUES (61, 11, NULL, 'n', NULL, NULL)", "UPDATE cards SET parent_id = 61 WHERE id = 21"],
    ),
    "a reference by a code that changed": (
        ["UPDATE cards SET slug = 'p' WHERE id = 21", "INSERT INTO uses VALUES (1, NULL, 'p')"],
        ["INSERT INTO uses VALUES (1, NULL, 's1')"],
    ),
    "a reference to a new log row": (
        ["INSERT INTO log VALUES (40, 21, 'y')", "INSERT INTO remarks VALUES (1, 40, 'r')"],
        ["INSERT INTO log VALUES (50, 21, 'z')", "INSERT INTO remarks VALUES (2, 50, 'r')"],
    ),
    "positions with the same ranks": (["UPDATE lists SET position = position * 10 + 5"], []),
    "a gap left or closed": (
        ["DELETE FROM lists WHERE id = 11"],
        ["DELETE FROM lists WHERE id = 11", "UPDATE lists SET position = position - 1"],
    ),
    "room made at the end or far behind": (
        ["INSERT INTO lists VALUES (14, 1, 4)"],
        ["INSERT INTO lists VALUES (15, 1, 400)"],
    ),
    "a change undone": (["UPDATE boards SET name = 'z'", "UPDATE boards SET name = 'a'"], []),
}
DIFFERENT = {
    "a key's other columns": (linked(51), linked(51, line=2)),
    "which of two alike rows has it": (
        [*linked(51), *linked(52), "INSERT INTO notes VALUES (51, 22, 7, 'z')", "UPDATE cards SET parent_id = 51"],
        [*linked(51), *linked(52), "INSERT INTO notes VALUES (51, 22, 7, 'z')", "UPDATE cards SET parent_id = 52"],
    ),
    "what a mark points to": (marked(51), marked(51)[:2]),
    "an old row or a new one as target": (
        [*marked(51), "INSERT INTO marks VALUES (2, 21, 51)"],
        [*marked(51), "INSERT INTO marks VALUES (2, 21, 22)"],
    ),
    "a value": (["UPDATE boards SET name = 'z'"], []),
    "null and empty": (["INSERT INTO uses VALUES (1, NULL, NULL)"], ["INSERT INTO uses VALUES (1, '', NULL)"]),
    "text and number": (["INSERT INTO boards VALUES (2, '5')"], ["INSERT INTO boards VALUES (2, '5.0')"]),
    "a row more": (["INSERT INTO boards VALUES (2, 'b'), (3, 'b')"], ["INSERT INTO boards VALUES (2, 'b')"]),
    "a row gone": (["DELETE FROM links WHERE from_id = 21"], ["DELETE FROM links WHERE from_id = 22"]),
    "who points to whom": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL), (52, 11, 51, 'b', NULL, NULL)"],
        ["INSERT INTO cards VALUES (51, 11, 52, 'a', NULL, NULL), (52, 11, NULL, 'b', NULL, NULL)"],
    ),
    "an old row or a new one like it": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL)", "UPDATE cards SET parent_id = 51 WHERE id = 22"],
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL)"],
    ),
    "two circles of three or one of six": (
        [
            f"INSERT INTO cards VALUES ({50 + i}, 11, {50 + i // 3 * 3 + (i + 1) % 3}, 'n', NULL, NULL)"
            for i in range(6)
        ],
        [f"INSERT INTO cards VALUES ({50 + i}, 11, {50 + (i + 1) % 6}, 'n', NULL, NULL)" for i in range(6)],
    ),
    "order": (["UPDATE lists SET position = 5 WHERE id = 11"], []),
    "a new row first or last": (
        ["INSERT INTO lists VALUES (14, 1, 0)"],
        ["INSERT INTO lists VALUES (14, 1, 9)"],
    ),
    "positions that become the same": (["UPDATE lists SET position = 1 WHERE id = 12"], []),
    "another group": (["INSERT INTO boards VALUES (2, 'b')", "UPDATE lists SET board_id = 2 WHERE id = 13"], []),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_states_that_are_the_same(environment: Environment, one: list[str], other: list[str]) -> None:
    assert by_sql(environment, *one).signature() == by_sql(environment, *other).signature()


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_states_that_differ(environment: Environment, one: list[str], other: list[str]) -> None:
    assert by_sql(environment, *one).signature() != by_sql(environment, *other).signature()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (2, 'blue')", True),
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (2, NULL)", True),
        ("UPDATE looks SET color = 'green'", "UPDATE looks SET color = 'blue'", True),
        ("UPDATE looks SET color = 'green'", "", False),
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (3, 'red')", False),
    ],
)
def test_values_of_free_columns_do_not_count_but_touching_a_row_does(
    environment: Environment, one: str, other: str, same: bool
) -> None:
    first, second = by_sql(environment, one), by_sql(environment, other)
    assert (first.signature(looks=["color"]) == second.signature(looks=["color"])) is same


def test_a_free_key_is_renamed_like_a_number(environment: Environment) -> None:
    one = by_sql(environment, "INSERT INTO looks VALUES (7, 'red')")
    other = by_sql(environment, "INSERT INTO looks VALUES (8, 'red')")
    assert one.signature() != other.signature()
    assert one.signature(looks=["board_id"]) == other.signature(looks=["board_id"])


def test_free_positions_do_not_count(environment: Environment) -> None:
    one = by_sql(environment, "INSERT INTO lists VALUES (14, 1, 0)")
    other = by_sql(environment, "INSERT INTO lists VALUES (14, 1, 9)")
    assert one.signature(lists=["position"]) == other.signature(lists=["position"])


def test_an_open_world_serves_as_the_end_state(environment: Environment) -> None:
    end = by_sql(environment, "UPDATE lists SET position = 5 WHERE id = 11")
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", end.after)
    assert state_signature(environment, end.changes, connection) == end.signature()
