"""What a call of a tool does: references, ownership, conditions, writes, results, pages, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from envolve.environments import Environment, Episode, Limits
from envolve.environments.models import Actor, CallResult
from envolve.environments.remembering import Memory

from .conftest import MakeEnvironment

DINER = Actor(roles=("diner",), id=204)
HOST = Actor(roles=("host",), id=305)


@pytest.fixture
def diner(table_booking: Environment) -> Iterator[Episode]:
    with table_booking.open(actor=DINER) as episode:
        yield episode


@pytest.fixture
def host(table_booking: Environment) -> Iterator[Episode]:
    with table_booking.open(actor=HOST) as episode:
        yield episode


def code(result: CallResult) -> str | None:
    return result.error.code if result.error else None


def message(result: CallResult) -> str:
    assert result.error is not None
    return result.error.message


def items(result: CallResult) -> list[dict[str, Any]]:
    assert result.ok, result
    found: list[dict[str, Any]] = result.value["items"]
    return found


def test_what_does_not_exist_is_not_found(diner: Episode) -> None:
    assert code(diner.call("get_booking", booking_id=99)) == "not_found"
    assert code(diner.call("list_tables", restaurant_id=-1)) == "not_found"


def test_references_inside_lists(host: Episode) -> None:
    result = host.call("mark_no_shows", booking_ids=[1806, 4])
    assert (code(result), message(result)) == ("not_found", "booking_ids: there is no id 4 in bookings.")


def test_scope_is_checked_inside_lists(host: Episode) -> None:
    result = host.call("mark_no_shows", booking_ids=[1806, 1833])
    assert code(result) == "forbidden"
    assert "1833" in message(result)


def test_scope_binds_the_roles_it_names(diner: Episode, host: Episode) -> None:
    assert diner.call("get_booking", booking_id=1806).ok
    assert code(diner.call("get_booking", booking_id=1815)) == "forbidden"
    assert host.call("get_booking", booking_id=1815).ok


def test_what_does_not_exist_comes_before_what_is_not_yours(diner: Episode) -> None:
    assert code(diner.call("move_booking", booking_id=1815, table_id=1)) == "not_found"


def test_tools_of_other_roles(diner: Episode) -> None:
    assert code(diner.call("find_people", name="Ada")) == "forbidden"
    assert "find_people" not in {tool["name"] for tool in diner.tools}


def test_unknown_tool(diner: Episode) -> None:
    assert code(diner.call("drop_tables")) == "not_found"


def test_conditions_with_messages(host: Episode) -> None:
    result = host.call("move_booking", booking_id=1824, party_size=3)
    assert (code(result), message(result)) == ("conflict", "Booking 1824 is cancelled, not confirmed.")
    result = host.call("move_booking", booking_id=1806, party_size=7)
    assert message(result) == "Table L3 seats 4, not 7."


def test_a_write_reports_what_it_did(host: Episode) -> None:
    result = host.call("move_booking", booking_id=1806, table_id=529, party_size=6)
    assert result.value["table_id"] == 529
    assert result.value["note"] == "Wedding anniversary, quiet table please"
    assert [(row.table, row.op) for row in host.changes().rows] == [
        ("booking_events", "insert"),
        ("bookings", "update"),
    ]


def test_absent_null_and_given_differ(diner: Episode) -> None:
    kept = diner.call("cancel_booking", booking_id=1806)
    assert kept.value["note"] == "Wedding anniversary, quiet table please"
    assert diner.call("cancel_booking", booking_id=1811, reason=None).ok
    assert code(diner.call("list_my_bookings", status=None)) == "invalid_argument"
    everyone = items(diner.call("find_restaurants", limit=50))
    large = items(diner.call("find_restaurants", large_parties=True, limit=50))
    small = items(diner.call("find_restaurants", large_parties=False, limit=50))
    assert len(everyone) == len(large) + len(small)
    assert all(item["takes_large_parties"] is True for item in large)


def test_sort_limit_and_offset(diner: Episode) -> None:
    whole = items(diner.call("find_restaurants", limit=50))
    assert [item["rating"] for item in whole] == sorted((item["rating"] for item in whole), reverse=True)
    paged: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        result = diner.call("find_restaurants", limit=2, offset=offset)
        assert result.value["total"] == len(whole) == 5
        paged += items(result)
        offset = result.value["next_offset"]
    assert paged == whole
    by_price = items(diner.call("find_restaurants", sort="cheapest", limit=50))
    assert [item["price_level"] for item in by_price] == sorted(item["price_level"] for item in whole)
    beyond = diner.call("find_restaurants", offset=99)
    assert beyond.value == {"items": [], "total": 5, "next_offset": None}
    assert len(items(diner.call("find_restaurants"))) == 3, "the default page"


@pytest.mark.parametrize("args", [{"sort": "id"}, {"limit": 0}, {"limit": 51}, {"offset": -1}, {"limit": "2"}])
def test_page_arguments_are_checked(args: dict[str, Any], diner: Episode) -> None:
    assert code(diner.call("find_restaurants", **args)) == "invalid_argument"


def test_json_columns(diner: Episode) -> None:
    tables = items(diner.call("list_tables", restaurant_id=31))
    assert tables[0]["features"] == ["window"]


def test_single_values_and_nothing(host: Episode, diner: Episode) -> None:
    assert host.call("count_expected_guests", restaurant_id=31, on_date="2026-03-06").value == {"value": 24}
    assert diner.call("leave_waitlist", restaurant_id=43).value == {"ok": True}


def test_failed_calls_change_nothing(host: Episode) -> None:
    before = host.final_image()
    assert not host.call("move_booking", booking_id=1806, party_size=99).ok
    assert not host.call("move_booking", booking_id=1833, party_size=2).ok
    assert host.final_image() == before
    assert not host.changes()


TWO_ROLES = {
    "roles": {"clerk": {"table": "users"}, "chief": {"table": "users"}, "guest": {"table": "users"}},
    "schema": "CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER NOT NULL, text TEXT) STRICT;",
    "seed": "INSERT INTO notes VALUES (31, 5, 'a'), (32, 9, 'b');",
    "tools": """
- name: read_note
  description: Read
  kind: read
  roles: [clerk, chief]
  params:
    id: {type: integer, ref: notes.id, scope: {where: user_id = :actor_id, roles: [clerk], code: not_found}}
  required: [id]
  steps:
    - require: SELECT :actor_id = 5
      roles: [clerk]
      error: {code: forbidden, message: "Not you, {actor_id}."}
  returns: {one: "SELECT text, :actor_roles AS roles FROM notes WHERE id = :id"}
""",
}


@pytest.mark.parametrize(
    ("roles", "actor", "note", "expected"),
    [
        (("clerk",), 5, 31, None),
        (("clerk",), 5, 32, "not_found"),
        (("clerk",), 9, 32, "forbidden"),
        (("clerk", "chief"), 9, 31, None),
        (("clerk", "guest"), 5, 32, "not_found"),
        (("chief",), 9, 31, None),
        (("guest",), 9, 31, "forbidden"),
    ],
)
def test_rules_for_roles_spare_holders_of_another_admitted_role(
    roles: tuple[str, ...], actor: int, note: int, expected: str | None, make_environment: MakeEnvironment
) -> None:
    environment = make_environment(**TWO_ROLES)
    with environment.open(actor=Actor(roles=roles, id=actor)) as episode:
        assert code(episode.call("read_note", id=note)) == expected


def test_a_hidden_row_looks_like_none(make_environment: MakeEnvironment) -> None:
    with make_environment(**TWO_ROLES).open(actor=Actor(roles=("clerk",), id=5)) as episode:
        hidden, missing = episode.call("read_note", id=32), episode.call("read_note", id=77)
    assert message(hidden).replace("32", "77") == message(missing)


ITEMS = (
    "CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, n INTEGER CHECK (n > 0)) STRICT;"
)


def tool(steps: str, *, returns: str = "", params: str = "", kind: str = "write") -> str:
    head = f"- name: act\n  description: Act\n  kind: {kind}\n"
    parameters = f"  params: {params}\n" if params else ""
    return (
        head + parameters + (f"  steps:\n{steps}" if steps else "") + (f"  returns: {returns}\n" if returns else "")
    )


def act(
    make: MakeEnvironment, tools: str, *, schema: str = ITEMS, limits: Limits | None = None, **args: Any
) -> CallResult:
    environment = make(schema=schema, seed="INSERT INTO items VALUES (1, 'a', 1);", tools=tools)
    with environment.open(limits=limits) as episode:
        before = episode.final_image()
        result = episode.call("act", **args)
        if not result.ok:
            assert episode.final_image() == before
            assert not episode.changes()
            assert episode.call("act", **args) == result, "and the world goes on"
    with environment.remembering(Memory()).open(limits=limits) as remembered:
        assert remembered.call("act", **args) == result, "also in a world that can go back"
        assert remembered.changes() == episode.changes()
    return result


def test_unforeseen_constraint_is_a_named_conflict(make_environment: MakeEnvironment) -> None:
    result = act(make_environment, tool("    - do: INSERT INTO items VALUES (2, 'a', 1)\n"))
    assert code(result) == "conflict"
    assert "UNIQUE constraint failed: items.name" in message(result)
    assert result.detail.startswith("unforeseen constraint: ")


def test_a_deferred_constraint_fails_the_call(make_environment: MakeEnvironment) -> None:
    schema = ITEMS + (
        "CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, item_id INTEGER NOT NULL"
        " REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT;"
    )
    result = act(make_environment, tool("    - do: INSERT INTO parts VALUES (2, 77)\n"), schema=schema)
    assert code(result) == "conflict"


def test_another_row_count_is_internal(make_environment: MakeEnvironment) -> None:
    result = act(make_environment, tool("    - do: UPDATE items SET n = 2 WHERE id = 9\n      rows: 1\n"))
    assert (code(result), message(result)) == ("internal", "The service failed.")
    assert "touched 0 rows instead of 1" in result.detail


def test_a_trigger_that_raises_is_a_conflict(make_environment: MakeEnvironment) -> None:
    schema = ITEMS + ("CREATE TRIGGER keep BEFORE DELETE ON items BEGIN SELECT RAISE(ABORT, 'items are kept'); END;")
    result = act(make_environment, tool("    - do: DELETE FROM items\n"), schema=schema)
    assert (code(result), "items are kept" in message(result)) == ("conflict", True)


@pytest.mark.parametrize("value", ["1", "0", "NULL", "'yes'", "x'01'", "0.5"])
def test_only_numbers_are_true(value: str, make_environment: MakeEnvironment) -> None:
    steps = f"    - require: SELECT {value}\n      error: {{code: conflict, message: No.}}\n"
    assert act(make_environment, tool(steps, kind="read")).ok == (value in ("1", "0.5"))


def test_a_condition_without_row_does_not_hold(make_environment: MakeEnvironment) -> None:
    steps = "    - require: SELECT 1 FROM items WHERE id = 9\n      error: {code: not_found, message: No.}\n"
    assert code(act(make_environment, tool(steps, kind="read"))) == "not_found"


def test_look_ups_without_row_bind_null(make_environment: MakeEnvironment) -> None:
    steps = "    - let: {item: {row: SELECT name FROM items WHERE id = 9}, n: SELECT n FROM items WHERE id = 9}\n"
    steps += '    - require: SELECT 0\n      error: {code: conflict, message: "{item_name} {n} {now} {today}"}\n'
    result = act(make_environment, tool(steps, kind="read"))
    assert message(result) == "none none 2026-03-02 09:00:00 2026-03-02"


def test_returning_binds_the_first_value(make_environment: MakeEnvironment) -> None:
    steps = "    - do: INSERT INTO items (name) VALUES ('b'), ('c') RETURNING id\n      as: first\n      rows: 2\n"
    result = act(make_environment, tool(steps, returns='{value: "SELECT :first"}'))
    assert result.value == {"value": 2}


def test_one_without_row_is_not_found_or_after_a_write_the_tools_fault(make_environment: MakeEnvironment) -> None:
    steps = "    - do: DELETE FROM items WHERE id = 1\n"
    gone = act(make_environment, tool(steps, returns='{one: "SELECT id FROM items WHERE id = 1"}'))
    assert code(gone) == "internal"
    assert (
        code(act(make_environment, tool("", returns='{one: "SELECT id FROM items WHERE id = 9"}', kind="read")))
        == "not_found"
    )


def test_a_blob_in_the_result_is_internal(make_environment: MakeEnvironment) -> None:
    assert code(act(make_environment, tool("", returns="""{one: "SELECT x'00' AS b"}""", kind="read"))) == "internal"


def test_json_that_is_none_is_internal(make_environment: MakeEnvironment) -> None:
    returns = """{one: "SELECT '{' AS b", types: {b: json}}"""
    assert code(act(make_environment, tool("", returns=returns, kind="read"))) == "internal"


def test_infinity_is_out_of_range(make_environment: MakeEnvironment) -> None:
    returns, params = '{value: "SELECT :x * 1e308"}', "{x: {type: number}}"
    assert (
        code(act(make_environment, tool("", returns=returns, params=params, kind="read"), x=1e10)) == "limit_exceeded"
    )


def test_overflow_is_out_of_range(make_environment: MakeEnvironment) -> None:
    returns, params = '{value: "SELECT abs(:x)"}', "{x: {type: integer}}"
    result = act(make_environment, tool("", returns=returns, params=params, kind="read"), x=-(2**63))
    assert code(result) == "limit_exceeded"


def test_many_results_are_limited(make_environment: MakeEnvironment) -> None:
    returns = '{many: "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 50) SELECT i FROM c"}'
    tools = tool("", returns=returns, kind="read")
    assert act(make_environment, tools, limits=Limits(result_rows=50)).ok
    assert code(act(make_environment, tools, limits=Limits(result_rows=49))) == "limit_exceeded"


def test_large_results_are_limited(make_environment: MakeEnvironment) -> None:
    returns = """{many: "SELECT printf('%.*c', 900, 'x') AS a, printf('%.*c', 900, 'x') AS b"}"""
    tools = tool("", returns=returns, kind="read")
    assert act(make_environment, tools, limits=Limits(result_bytes=1800)).ok
    assert code(act(make_environment, tools, limits=Limits(result_bytes=1799))) == "limit_exceeded"


def test_double_quotes_are_no_strings(make_environment: MakeEnvironment) -> None:
    from envolve.environments.errors import PackageError

    with pytest.raises(PackageError, match="no such column"):
        make_environment(
            schema=ITEMS, tools=tool("", returns="""{one: 'SELECT id FROM items WHERE name = "b"'}""", kind="read")
        )


def test_foreign_keys_are_on(make_environment: MakeEnvironment) -> None:
    schema = (
        ITEMS + "CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, item_id INTEGER REFERENCES items (id)) STRICT;"
    )
    result = act(make_environment, tool("    - do: INSERT INTO parts VALUES (2, 77)\n"), schema=schema)
    assert (code(result), "FOREIGN KEY" in message(result)) == ("conflict", True)
