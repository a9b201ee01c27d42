"""Rules about guards that are missing: ownership, status, what siblings check."""

from __future__ import annotations

from .conftest import Review

_SCOPE = '{type: integer, ref: orders.id, scope: {where: "customer_id = :actor_id", roles: [customer]}}'
_OWN_ORDERS = f"""
- name: get_order
  description: An order.
  kind: read
  params: {{order_id: {_SCOPE}}}
  required: [order_id]
  returns: {{one: "SELECT id, status, total_cents FROM orders WHERE id = :order_id"}}
- name: note_order
  description: Note something on an order.
  kind: write
  params: {{order_id: {_SCOPE}, note: {{type: string}}}}
  required: [order_id, note]
  steps: [{{do: "UPDATE orders SET note = :note WHERE id = :order_id"}}]
"""
_SHIP = """
- name: ship_order
  description: Ship a placed order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - require: SELECT status = 'placed' FROM orders WHERE id = :order_id
      error: {code: conflict, message: It is not placed.}
    - do: UPDATE orders SET status = 'shipped' WHERE id = :order_id
      rows: 1
    - do: INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'shipped', :now)
- name: place_order
  description: Place an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}}
  required: [order_id, due_on]
  steps:
    - require: SELECT status = 'draft' FROM orders WHERE id = :order_id
      error: {code: conflict, message: It has left the desk.}
    - require: SELECT :due_on >= :today
      error: {code: invalid_argument, message: "{due_on} is in the past."}
    - do: UPDATE orders SET status = 'placed', due_on = :due_on WHERE id = :order_id
      rows: 1
    - do: INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'placed', :now)
"""

CASES = {
    "missing_actor_scope": (
        _OWN_ORDERS
        + """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'cancelled' WHERE id = :order_id"}]
""",
        _OWN_ORDERS
        + """
- name: cancel_order
  description: Cancel an order.
  kind: write
  roles: [clerk]
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'cancelled' WHERE id = :order_id"}]
- name: copy_order
  description: Copy an order of one's own.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - require: SELECT customer_id = :actor_id FROM orders WHERE id = :order_id
      error: {code: forbidden, message: It is not yours.}
    - do: |
        INSERT INTO orders (customer_id, status, placed_at, due_on, total_cents)
        SELECT customer_id, 'draft', :now, due_on, total_cents FROM orders WHERE id = :order_id
""",
    ),
    "status_overwritten": (
        _SHIP
        + """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - let: {current: {row: "SELECT status FROM orders WHERE id = :order_id"}}
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id
""",
        _SHIP
        + """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - let: {current: {row: "SELECT status FROM orders WHERE id = :order_id"}}
    - require: "SELECT :current_status IN ('draft', 'placed')"
      error: {code: conflict, message: "It is {current_status}."}
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id
- name: drop_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id AND status = 'draft'
      rows: 1
""",
    ),
    "description_status": (
        """
- name: move_order
  description: Move a placed order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}}
  required: [order_id, due_on]
  steps: [{do: "UPDATE orders SET due_on = :due_on WHERE id = :order_id"}]
""",
        """
- name: move_order
  description: Move a placed order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}}
  required: [order_id, due_on]
  steps:
    - let: {current: {row: "SELECT status FROM orders WHERE id = :order_id"}}
    - require: "SELECT :current_status = 'placed'"
      error: {code: conflict, message: It is not placed.}
    - do: UPDATE orders SET due_on = :due_on WHERE id = :order_id
- name: annotate_order
  description: Note something on an order, whether it was placed or not.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, note: {type: string}}
  required: [order_id, note]
  steps: [{do: "UPDATE orders SET note = :note WHERE id = :order_id"}]
""",
    ),
    "silent_no_op": (
        """
- name: take_item_off
  description: Take something off an order.
  kind: write
  params: {item_id: {type: integer}}
  required: [item_id]
  steps: [{do: "DELETE FROM items WHERE id = :item_id"}]
""",
        """
- name: take_item_off
  description: Take something off an order.
  kind: write
  params: {item_id: {type: integer, ref: items.id}}
  required: [item_id]
  steps: [{do: "DELETE FROM items WHERE id = :item_id"}]
""",
    ),
    "unguarded_sibling": (
        _SHIP
        + """
- name: move_order
  description: Move an order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}}
  required: [order_id, due_on]
  steps: [{do: "UPDATE orders SET due_on = :due_on WHERE id = :order_id"}]
""",
        _SHIP
        + """
- name: move_order
  description: Move an order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, day: {type: string, format: date}}
  required: [order_id, day]
  steps:
    - require: SELECT :day >= :today
      error: {code: invalid_argument, message: "{day} is in the past."}
    - do: UPDATE orders SET due_on = :day WHERE id = :order_id
""",
    ),
}


_ANNOTATE = """
- name: {verb}_order
  description: Change an order.
  kind: write
  params: {{order_id: {{type: integer, ref: orders.id}}}}
  required: [order_id]
  steps: [{{do: "UPDATE orders SET note = 'seen' WHERE id = :order_id"}}]
"""
CASES["log_forgotten"] = (_SHIP + _ANNOTATE.format(verb="cancel"), _SHIP)


def test_a_change_that_the_log_has_no_word_for_may_be_too_small_for_it(review: Review) -> None:
    found = review("log_forgotten", _SHIP + _ANNOTATE.format(verb="annotate"))
    assert [(finding.where, finding.confirmed) for finding in found] == [("tools.annotate_order", None)]


def test_reads_count_as_leaks_only_where_rows_are_private(review: Review) -> None:
    own_list = """
- name: list_my_orders
  description: List the orders of the person who is signed in.
  kind: read
  roles: [customer]
  returns: {many: "SELECT id, status FROM orders WHERE customer_id = :actor_id", order: id}
"""
    open_read = """
- name: get_items
  description: The items of an order.
  kind: read
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  returns: {many: "SELECT id, quantity FROM items WHERE order_id = :order_id", order: id}
"""
    note = _OWN_ORDERS.split("- name: note_order")[1]
    private = f"- name: note_order{note}{own_list}{open_read}"
    assert [found.confirmed for found in review("missing_actor_scope", private)] == [True]
    public = f"- name: note_order{note}{open_read}"
    assert review("missing_actor_scope", public) == []
