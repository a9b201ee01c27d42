"""What is done besides the task is for the verifier to reject; the goal, which says nothing of it, is no witness."""

from __future__ import annotations

from envolve.environments.models import Task
from envolve.eval.audit import audit

from .conftest import Make

SCHEMA = "CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, left INTEGER NOT NULL) STRICT;\n"
ORDERS = (
    "CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, thing_id INTEGER NOT NULL REFERENCES things (id),"
    " amount INTEGER NOT NULL) STRICT;\n"
)
TOOLS = """
- name: list_things
  description: All things.
  kind: read
  returns: {many: "SELECT id, name, left FROM things", order: id}
- name: order_thing
  description: Order some of a thing; they are taken from what is left.
  kind: write
  params:
    thing_id: {type: integer, description: The thing, ref: things.id}
    amount: {type: integer, minimum: 1, maximum: 9, description: How many}
  required: [thing_id, amount]
  steps:
    - require: "SELECT left >= :amount FROM things WHERE id = :thing_id"
      error: {code: conflict, message: Not so many are left.}
    - do: INSERT INTO orders (thing_id, amount) VALUES (:thing_id, :amount) RETURNING id
      as: order_id
    - do: UPDATE things SET left = left - :amount WHERE id = :thing_id
  returns: {one: "SELECT id, amount FROM orders WHERE id = :order_id"}
- name: restock
  description: Some of a thing come in.
  kind: write
  params:
    thing_id: {type: integer, description: The thing, ref: things.id}
    amount: {type: integer, minimum: 1, maximum: 9, description: How many}
  required: [thing_id, amount]
  steps:
    - do: UPDATE things SET left = left + :amount WHERE id = :thing_id
"""
TASK = Task.model_validate(
    {
        "id": "order-lamps",
        "instruction": "Order three lamps.",
        "actor": {"roles": ["user"], "id": 5},
        "goal": {
            "text": "one new order of three lamps",
            "sql": "SELECT count(*) = 1 FROM after.orders WHERE thing_id = 31 AND amount = 3"
            " AND id NOT IN (SELECT id FROM before.orders)",
        },
        "grounding": {
            "lamps": {"expect": "one", "table": "things", "sql": "SELECT id FROM before.things WHERE name = 'lamp'"}
        },
        "gold": [
            {"call": "list_things", "as": "found"},
            {"pick": "thing", "sql": "SELECT id FROM $found WHERE name = 'lamp'"},
            {"call": "order_thing", "args": {"thing_id": "$thing.id", "amount": 3}},
            {"submit": {"status": "done"}},
        ],
        "verifier": {
            "bind": {"made": "SELECT id FROM inserted.orders"},
            "require": [
                {"name": "of lamps", "sql": "SELECT thing_id = 31 FROM after.orders WHERE id = :made"},
                {"name": "three", "sql": "SELECT amount = 3 FROM after.orders WHERE id = :made"},
                {
                    "name": "taken from what is left",
                    "sql": "SELECT left = (SELECT left FROM before.things WHERE id = 31) - 3 FROM after.things"
                    " WHERE id = 31",
                },
            ],
            "allow": [
                {"table": "orders", "insert": {"max": 1}},
                {"table": "things", "key": {"id": 31}, "columns": ["left"]},
            ],
        },
    }
)


def test_stock_that_came_in_besides_is_rejected_and_no_dispute(make_environment: Make) -> None:
    seed = "INSERT INTO things VALUES (31, 'lamp', 8), (37, 'chair', 5);\nINSERT INTO orders VALUES (61, 37, 2);\n"
    report = audit(make_environment(SCHEMA + ORDERS, seed, TOOLS), TASK)
    assert report.gate("goal").status == "passed", report.gate("goal").message
    assert report.grade == "sound", [gate for gate in report.gates if gate.status == "failed"]


def test_a_requirement_beyond_the_goal_is_one(make_environment: Make) -> None:
    seed = "INSERT INTO things VALUES (31, 'lamp', 8), (37, 'chair', 5);\nINSERT INTO orders VALUES (61, 37, 2);\n"
    goal = TASK.goal.model_copy(update={"sql": "SELECT count(*) = 2 FROM after.orders"})
    report = audit(make_environment(SCHEMA + ORDERS, seed, TOOLS), TASK.model_copy(update={"goal": goal}))
    assert report.grade == "disputed"
