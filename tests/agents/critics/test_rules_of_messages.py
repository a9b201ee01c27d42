"""What error messages say, against the guards that they stand beside."""

from __future__ import annotations

import pytest

from .conftest import Review

_HANDLER = ":owner = :actor_id OR EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = 'clerk')"


@pytest.mark.parametrize(
    ("guard", "message", "code"),
    [
        ("SELECT :due_on < :today", "{due_on} is in the past.", "invalid_argument"),
        ("SELECT :due_on > :today", "{due_on} is in the past.", "invalid_argument"),
        ("SELECT NOT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)", "There is no such order.", "not_found"),
        ("SELECT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)", "That day is taken.", "conflict"),
        ("SELECT :quantity > :stock", "Only {stock} left.", "conflict"),
        ("SELECT :quantity < :stock", "The shelf holds {stock}, not {quantity}.", "conflict"),
        ("SELECT :owner <> :actor_id", "You do not look after it.", "forbidden"),
        ("SELECT NOT (:given_due_on OR :given_quantity)", "Give due_on or quantity.", "invalid_argument"),
        ("SELECT NOT (status = 'placed') FROM orders WHERE id = 703", "Only placed orders can be moved.", "conflict"),
        ("SELECT NOT (:due_on > :today AND :quantity > 0)", "It must lie in the future.", "invalid_argument"),
        ("SELECT :quantity < :stock", "Only {stock} are left.", "conflict"),
        ("SELECT :quantity < :stock", "A shelf takes {stock} of them at most.", "conflict"),
        ("SELECT :quantity > :stock", "Take at least {stock}.", "conflict"),
        (f"SELECT NOT ({_HANDLER})", "Only whoever handles it or a clerk may do that.", "forbidden"),
        ("SELECT :owner IS NULL", "Nobody handles it yet; assign it first.", "conflict"),
        (
            "SELECT NOT (:due_on <> :today OR :quantity <> :stock)",
            "Give another day or quantity.",
            "invalid_argument",
        ),
        ("SELECT :quantity > :stock", "There are not that many to be had.", "conflict"),
        ("SELECT :due_on < :today", "It was valid until {due_on}.", "conflict"),
        (
            "SELECT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)",
            "It has orders to come; move them first.",
            "conflict",
        ),
        ("SELECT NOT :stock", "It is not stock.", "conflict"),
    ],
)
def test_turned_guards_contradict_their_messages(guard: str, message: str, code: str, review: Review) -> None:
    assert [finding.confirmed for finding in review("guard_contradicts_message", _moving(guard, message, code))] == [
        True
    ]


@pytest.mark.parametrize(
    ("guard", "message", "code"),
    [
        ("SELECT :due_on > :today AND :quantity > 0", "It must lie in the future.", "invalid_argument"),
        ("SELECT :quantity <= :stock", "Only {stock} are left.", "conflict"),
        ("SELECT :quantity <= :stock", "A shelf takes {stock} of them at most.", "conflict"),
        ("SELECT :quantity >= :stock", "Take at least {stock}.", "conflict"),
        (f"SELECT {_HANDLER}", "Only whoever handles it or a clerk may do that.", "forbidden"),
        (f"SELECT NOT ({_HANDLER})", "Nobody decides on their own.", "forbidden"),
        ("SELECT :owner IS NOT NULL", "Nobody handles it yet; assign it first.", "conflict"),
        ("SELECT :owner IS NULL", "Somebody handles it already.", "conflict"),
        ("SELECT :due_on <> :today OR :quantity <> :stock", "Give another day or quantity.", "invalid_argument"),
        ("SELECT NOT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)", "It is closed on that day.", "conflict"),
        ("SELECT :quantity <= :stock", "There are not that many to be had.", "conflict"),
        ("SELECT :due_on >= :today", "It was valid until {due_on}.", "conflict"),
        (
            "SELECT NOT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)",
            "It has orders to come; move them first.",
            "conflict",
        ),
        ("SELECT :stock", "It is not stock.", "conflict"),
    ],
)
def test_guards_that_do_as_they_say_contradict_nothing(guard: str, message: str, code: str, review: Review) -> None:
    assert review("guard_contradicts_message", _moving(guard, message, code)) == []


@pytest.mark.parametrize("message", ["It has gone out already.", "Only what is live can be sent."])
def test_what_a_message_says_of_a_status_is_what_the_guard_lets_pass(message: str, review: Review) -> None:
    def ship(guard: str) -> str:
        return f"""
- name: ship_order
  description: Ship an order.
  kind: write
  params: {{order_id: {{type: integer, ref: orders.id}}}}
  required: [order_id]
  steps:
    - require: SELECT status {guard} ('draft', 'placed') FROM orders WHERE id = :order_id
      error: {{code: conflict, message: {message}}}
    - do: UPDATE orders SET status = 'shipped' WHERE id = :order_id
"""

    assert [found.confirmed for found in review("guard_contradicts_message", ship("NOT IN"))] == [True]
    assert review("guard_contradicts_message", ship("IN")) == []


def _moving(guard: str, message: str, code: str) -> str:
    """A tool with one guard."""
    return f"""
- name: move
  description: Move something.
  kind: write
  params: {{due_on: {{type: string, format: date}}, quantity: {{type: integer}}}}
  required: [due_on, quantity]
  steps:
    - let: {{stock: "SELECT max(stock) FROM products", owner: "SELECT max(customer_id) FROM orders"}}
    - require: "{guard}"
      error: {{code: {code}, message: "{message}"}}
    - do: UPDATE orders SET due_on = :due_on WHERE id = 703
"""


@pytest.mark.parametrize(
    ("guard", "flagged"),
    [
        ("time(:due_on) >= '08:00' AND time(:due_on) <= '22:00:00'", False),
        ("time(:due_on) >= '08:00' AND time(:due_on) < '22:00:00'", True),
        ("time(:due_on) > '08:00' AND time(:due_on) <= '22:00:00'", True),
        ("time(:due_on) >= '08:00' AND time(:due_on) < '23:00:00'", False),
    ],
)
def test_times_of_day_that_words_take_in(guard: str, flagged: bool, review: Review) -> None:
    tool = _moving(f"SELECT {guard}", "It must start from 08:00 and end by 22:00.", "invalid_argument")
    assert bool(review("boundary_unlike_words", tool)) == flagged


@pytest.mark.parametrize(
    ("guard", "message", "flagged"),
    [
        (":quantity <= 100", "More than 100 at a time is sent by clerks.", False),
        (":quantity < 100", "More than 100 at a time is sent by clerks.", True),
        (":due_on >= date(:today, '-30 days')", "That was more than 30 days ago.", False),
        (":due_on > date(:today, '-30 days')", "That was more than 30 days ago.", True),
        ("NOT EXISTS (SELECT 1 FROM orders WHERE due_on < date(:today, '-7 days'))", "More than 7 days late.", False),
        ("NOT EXISTS (SELECT 1 FROM orders WHERE due_on <= date(:today, '-7 days'))", "More than 7 days late.", True),
        (":quantity > 0 AND :due_on <= date(:today, '+60 days')", "At most 60 days ahead.", False),
        (":quantity > 0 AND :due_on < date(:today, '+60 days')", "At most 60 days ahead.", True),
        (":quantity > 3", "It must not be sent with less than 4; give more than 3.", False),
    ],
)
def test_amounts_that_words_take_in(guard: str, message: str, flagged: bool, review: Review) -> None:
    assert bool(review("boundary_unlike_words", _moving(f"SELECT {guard}", message, "conflict"))) == flagged
