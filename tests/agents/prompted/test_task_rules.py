"""What the rules of task writing show of gold programs runs as they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from envolve.agents.prompted.showing import rows_text
from envolve.agents.prompted.task_writer.material import text_of
from envolve.environments.gold import GoldRun, run_gold
from envolve.environments.models import EnvironmentSpec, Role, Task, ToolsFile
from envolve.environments.package import Environment

from .task_scripts import environment

SCHEMA = """
CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, price_cents INTEGER NOT NULL) STRICT;
"""
SEED = """
INSERT INTO people VALUES (412, 'Ada');
INSERT INTO items VALUES (77, 'Cargo bike, long', 4000), (81, 'Bike for cargo', 3000), (85, 'Small bike', 1000);
"""
ID = {"item_id": {"type": "integer", "ref": "items.id"}}
TOOLS: list[dict[str, Any]] = [
    {"name": "find_items", "returns": {"many": "SELECT id, name FROM items", "order": "id"}},
    {
        "name": "get_price",
        "params": ID,
        "required": ["item_id"],
        "returns": {"one": "SELECT id AS item_id, price_cents, :today AS valid_from FROM items WHERE id = :item_id"},
    },
    {
        "name": "get_order",
        "returns": {
            "one": "SELECT 9 AS id, (SELECT json_group_array(json_object('name', name)) FROM items) AS lines",
            "types": {"lines": "json"},
        },
    },
]


@pytest.fixture(scope="module")
def shop() -> Environment:
    tools = [{"description": "Show.", "kind": "read", **tool} for tool in TOOLS]
    return Environment.build(
        spec=EnvironmentSpec(
            id="shop", scenario="A shop", roles={"buyer": Role(table="people")}, clock="2026-03-02 09:00:00"
        ),
        schema_sql=SCHEMA,
        seed_sql=SEED,
        tools=ToolsFile.model_validate({"tools": tools}),
    )


def ran(shop: Environment, *steps: dict[str, Any]) -> GoldRun:
    task = {
        "id": "t",
        "instruction": "Do it.",
        "actor": {"roles": ["buyer"], "id": 412},
        "goal": {"text": "done"},
        "gold": [*steps, {"submit": {}}],
    }
    return run_gold(shop, Task.model_validate(task))


def test_the_example_of_joined_results_runs(shop: Environment) -> None:
    lines = [line.strip() for line in text_of("rules.md").splitlines()]
    steps = [json.loads(line) for line in lines if line.startswith(("{", "["))]
    assert [next(iter(step)) for step in steps] == ["pick", "call", "pick"]
    run = ran(shop, {"call": "find_items", "as": "found"}, *steps)
    assert run.ok, run.failure
    assert run.picks["cheapest"] == {"id": 81, "name": "Bike for cargo"}


def test_lists_in_a_column_are_read_with_json_each(shop: Environment) -> None:
    sql = "SELECT l.value ->> 'name' AS name FROM $order, json_each($order.lines) l WHERE $order.id <> $found.items.0.id"
    assert sql[: sql.index(" WHERE")].replace(" AS name", "") in text_of("rules.md")
    calls = ({"call": "get_order", "as": "order"}, {"call": "find_items", "as": "found"})
    run = ran(shop, *calls, {"pick": "names", "many": True, "sql": sql})
    assert run.ok, run.failure
    assert run.picks["names"] == [{"name": name} for name in ("Cargo bike, long", "Bike for cargo", "Small bike")]


def test_more_rows_of_some_tables_are_shown() -> None:
    more = rows_text(environment(), most=2, more={"people": 60}).splitlines()
    people, few = (rows_text(environment(), ["people"], most).splitlines() for most in (60, 2))
    assert set(people) <= set(more)
    assert len(people) > len(few)
    assert len(more) - len(rows_text(environment(), most=2).splitlines()) == len(people) - len(few)
