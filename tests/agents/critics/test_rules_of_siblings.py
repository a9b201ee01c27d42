"""Rules that hold tools of one package against each other, and against what they promise."""

from __future__ import annotations

import pytest

from .conftest import Review

_DECIDE = """
- name: {name}
  description: Decide on an order.
  kind: write
  params: {{order_id: {{type: integer, ref: orders.id}}}}
  required: [order_id]
  steps:
    - let: {{{bound}: {{row: "SELECT status, due_on FROM orders WHERE id = :order_id"}}}}
    - require: "SELECT {guard}"
      error: {{code: conflict, message: "It was due on {{{bound}_due_on}}."}}
    - do: UPDATE orders SET note = 'decided' WHERE id = :order_id
"""
_DUE = "{0}_due_on >= :today OR {0}_status = 'draft'"


def _tools(*guards: str) -> str:
    names = ("approve", "return_it", "refuse")
    return "".join(
        _DECIDE.format(name=name, bound=f"row_{name[:3]}", guard=guard.format(f":row_{name[:3]}"))
        for name, guard in zip(names, guards, strict=False)
    )


_SUMS = """
- name: get_product
  description: A product.
  kind: read
  params: {product_id: {type: integer, ref: products.id}}
  required: [product_id]
  returns: {one: "SELECT id, p.stock - p.position AS free FROM products p WHERE id = :product_id"}
- name: list_products
  description: Products.
  kind: read
  returns: {many: "SELECT q.id, q.stock - q.position AS free FROM products q", order: id}
- name: value_products
  description: What products are worth.
  kind: read
  returns: {many: "SELECT id, stock * price_cents AS free FROM products", order: id}
"""
_PROMISE = """
- name: list_orders
  description: Orders by person. Customers see their own.
  kind: read
  params: {person_id: PARAM}
  returns:
    many: |
      SELECT id, status FROM orders WHERE (:person_id IS NULL OR customer_id = :person_id) AND (
        :person_id IS NOT NULL OR customer_id = :actor_id
        OR EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = 'clerk'))
    order: id
"""
_OPEN = "{type: integer, ref: people.id}"
_SCOPED = '{type: integer, ref: people.id, scope: {where: "people.id = :actor_id", roles: [customer]}}'
_MINE = """
- name: list_orders
  description: Orders.
  kind: read
  params: {mine: {type: boolean, description: True for only those that you placed}}
  returns: {many: "SELECT id, status FROM orders WHERE (coalesce(:mine, 0) = 0 OR MINE)", order: id}
"""
_BOOK = """
- name: book_visit
  description: Book a visit.
  kind: write
  params: {starts_at: {type: string, format: date-time}}
  required: [starts_at]
  steps:
    - require: "SELECT WINDOW"
      error: {code: invalid_argument, message: It must lie in the future and not too far ahead.}
    - do: |
        INSERT INTO visits (person_id, starts_at, ends_at)
        VALUES (:actor_id, :starts_at, datetime(:starts_at, '+1 hour'))
"""
_START = """
- name: start_order
  description: Begin an order.
  kind: write
  params: {due_on: {type: string, format: date}}
  required: [due_on]
  steps:
    - do: |
        INSERT INTO orders (customer_id, status, placed_at, due_on, total_cents)
        VALUES (:actor_id, 'FIRST', :now, :due_on, 0)
- name: place_order
  description: Place an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - require: SELECT status = 'draft' FROM orders WHERE id = :order_id
      error: {code: conflict, message: It cannot be placed.}
    - do: UPDATE orders SET status = 'placed' WHERE id = :order_id
"""
_TAKE_BACK = """
- name: take_back_order
  description: Make a placed order one to change again.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'draft' WHERE id = :order_id"}]
"""

CASES = {
    "first_status_unreached": (_START.replace("FIRST", "placed"), _START.replace("FIRST", "draft")),
    "ahead_unlimited": (
        _BOOK.replace("WINDOW", ":starts_at > :now"),
        _BOOK.replace("WINDOW", ":starts_at > :now AND date(:starts_at) <= date(:today, '+30 days')"),
    ),
    "guards_disagree": (_tools(_DUE, _DUE, f"NOT ({_DUE})"), _tools(_DUE, _DUE, "{0}_due_on >= :today")),
    "computed_differently": (
        _SUMS.replace("q.stock - q.position", "q.stock + q.position"),
        _SUMS,
    ),
    "own_rows_promised": (_PROMISE.replace("PARAM", _OPEN), _PROMISE.replace("PARAM", _SCOPED)),
}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_all_that_is_said_of_siblings_is_confirmed(rule: str, review: Review) -> None:
    assert all(finding.confirmed for finding in review(rule, CASES[rule][0]))


@pytest.mark.parametrize("other", ["{0}_due_on > :today OR {0}_status = 'draft'", f"NOT ({_DUE})"])
def test_of_three_guards_the_odd_one_is_named(other: str, review: Review) -> None:
    found = review("guards_disagree", _tools(_DUE, other, _DUE))
    assert [finding.where for finding in found] == ["tools.return_it.steps.1"]
    both = review("guards_disagree", _tools(_DUE, other))
    assert [finding.where for finding in both] == ["tools.approve.steps.1", "tools.return_it.steps.1"]


def test_lists_that_everybody_may_read_promise_nothing(review: Review) -> None:
    public = _PROMISE.replace("PARAM", _OPEN).replace("Customers see their own.", "Clerks see their own first.")
    assert review("own_rows_promised", public.replace("read\n", "read\n  roles: [customer]\n", 1)) == []


@pytest.mark.parametrize(("asks", "flagged"), [("customer_id = :actor_id", False), ("customer_id > 0", True)])
def test_a_switch_to_ones_own_asks_who_calls(asks: str, flagged: bool, review: Review) -> None:
    found = review("own_rows_promised", _MINE.replace("MINE", asks))
    assert [finding.where for finding in found] == ["tools.list_orders.params.mine"] * flagged
    assert all(finding.confirmed for finding in found)


_EVENTS = """
- name: get_order
  description: An order.
  kind: read
  params: {order_id: SCOPED}
  required: [order_id]
  returns: {one: "SELECT id, status FROM orders WHERE id = :order_id"}
- name: list_events
  description: What happened to an order.
  kind: read
  params: {order_id: PARAM}
  required: [order_id]
  returns:
    many: |
      SELECT id, at FROM order_events WHERE order_id = :order_id AND (
        kind <> 'placed' OR EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = 'clerk'))
    order: id
"""
_OWN_ORDER = '{type: integer, ref: orders.id, scope: {where: "customer_id = :actor_id", roles: [customer]}}'


@pytest.mark.parametrize(("param", "flagged"), [(_OWN_ORDER, False), ("{type: integer, ref: orders.id}", True)])
def test_rows_that_only_some_roles_see_are_not_asked_for_their_owner(
    param: str, flagged: bool, review: Review
) -> None:
    found = review("missing_actor_scope", _EVENTS.replace("SCOPED", _OWN_ORDER).replace("PARAM", param))
    assert [finding.where for finding in found] == ["tools.list_events.params.order_id"] * flagged


def test_a_first_status_that_some_tool_sets_is_reached(review: Review) -> None:
    assert review("first_status_unreached", _START.replace("FIRST", "placed") + _TAKE_BACK) == []
