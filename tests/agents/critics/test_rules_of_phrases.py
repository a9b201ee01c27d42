"""What error messages say of who, whose, what is there, moments, amounts and statuses: each guard as it should be, and
turned round."""

from __future__ import annotations

import pytest

from .conftest import Review

_CLERK = "EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = 'clerk')"
_STAFF = "EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value <> 'customer')"
_ORDER = "SELECT 1 FROM orders WHERE due_on = :due_on"
_OPEN_ORDER = "SELECT 1 FROM orders WHERE due_on = :due_on AND status = 'placed'"
PHRASES = [
    ("1", "0", "Say which customer it is for.", "conflict"),
    (f"NOT EXISTS ({_ORDER})", f"EXISTS ({_ORDER})", "There is another order on that day.", "conflict"),
    (f"NOT EXISTS ({_ORDER})", f"EXISTS ({_ORDER})", "A placed order stands in its way.", "conflict"),
    (f"NOT EXISTS ({_ORDER})", f"EXISTS ({_ORDER})", "Something is due; it comes first.", "conflict"),
    (
        f"{_CLERK} OR NOT EXISTS ({_ORDER})",
        f"NOT ({_CLERK}) AND EXISTS ({_ORDER})",
        "Something is due; it comes first.",
        "conflict",
    ),
    (f"EXISTS ({_ORDER})", f"NOT EXISTS ({_ORDER})", "There is nothing in it.", "conflict"),
    (f"EXISTS ({_ORDER})", f"NOT EXISTS ({_ORDER})", "You are not in it.", "conflict"),
    (f"NOT EXISTS ({_OPEN_ORDER})", f"EXISTS ({_OPEN_ORDER})", "Its order is not shipped.", "conflict"),
    (":owner = :stock", ":owner <> :stock", "That is somebody else's.", "conflict"),
    (":owner <> :stock", ":owner = :stock", "Somebody else has to approve it; they must differ.", "conflict"),
    (":owner = :stock", ":owner <> :stock", "They come from different people.", "conflict"),
    (f":quantity < 9 OR {_CLERK}", f"NOT (:quantity < 9 OR {_CLERK})", "Only a clerk gives as many.", "forbidden"),
    (f":quantity < 9 OR {_STAFF}", f"NOT (:quantity < 9 OR {_STAFF})", "So many are for staff.", "forbidden"),
    (
        f":owner = :actor_id OR {_CLERK}",
        f"NOT (:owner = :actor_id OR {_CLERK})",
        "Only a host can do that.",
        "forbidden",
    ),
    (":owner IS NOT NULL", ":owner IS NULL", "It is not known.", "not_found"),
    (":owner IS NULL", ":owner IS NOT NULL", "There is not enough for {owner}.", "conflict"),
    (":owner IS NULL", ":owner IS NOT NULL", "One was used on it already.", "conflict"),
    (":due_on >= :today", ":due_on < :today", "It must fall due today or later.", "conflict"),
    (":due_on > :today", ":due_on <= :today", "The day must lie ahead.", "conflict"),
    (":due_on >= :today", ":due_on < :today", "That sale is over.", "conflict"),
    (":due_on < :today", ":due_on >= :today", "Only what is overdue gets a reminder.", "conflict"),
    (":due_on >= :today", ":due_on > :today", "It must fall due today or later.", "conflict"),
    (":due_on >= :today", ":due_on > :today", "It is valid until {due_on}.", "conflict"),
    (":due_on > :now", ":due_on >= :now", "It must lie in the future.", "conflict"),
    (":ends >= :starts", ":ends > :starts", "It does not end before it starts.", "conflict"),
    (":quantity <= :longest", ":quantity < :longest", "It cannot be taken for so long.", "conflict"),
    (":quantity >= :shortest", ":quantity < :shortest", "It cannot be taken like that.", "conflict"),
    (":given_due_on", "NOT :given_due_on", "Give another day.", "invalid_argument"),
    (
        ":due_on >= date(:today, '-30 days')",
        ":due_on < date(:today, '-30 days')",
        "That was more than 30 days ago.",
        "conflict",
    ),
    (
        ":due_on <= date(:today, '-7 days')",
        ":due_on > date(:today, '-7 days')",
        "The last one was less than seven days ago.",
        "conflict",
    ),
    (":stock < 3", ":stock >= 3", "Three were sent already.", "conflict"),
    (":stock = 0", ":stock <> 0", "{stock} of them went out already.", "conflict"),
    (":quantity = :stock", ":quantity <> :stock", "It has to be paid in full.", "conflict"),
    (":quantity <= :stock", ":quantity > :stock", "{owner} wants {stock}, and {stock} are available.", "conflict"),
    (":quantity <= :stock - 1", ":quantity > :stock - 1", "Of these, {stock} were sent back already.", "conflict"),
    (":stock - :quantity >= 1", ":stock - :quantity < 1", "There is not enough of it.", "conflict"),
    (":held <> :stock", ":held = :stock", "It is {held} and cannot become {stock}.", "conflict"),
    (":held = 'placed'", ":held <> 'placed'", "Only what was placed can be shipped.", "conflict"),
    (
        ":held = 'placed' AND :due_on <= :today",
        ":held <> 'placed' OR :due_on > :today",
        "Only what was placed and has begun can be shipped.",
        "conflict",
    ),
    (":held <> 'shipped'", ":held = 'shipped'", "It must not be shipped.", "conflict"),
    (
        ":held IN ('draft', 'placed')",
        ":held NOT IN ('draft', 'placed')",
        "It is {held}; redraft it first.",
        "conflict",
    ),
    (
        ":held IN ('draft', 'placed')",
        ":held NOT IN ('draft', 'placed')",
        "It is {held} and cannot be changed any more.",
        "conflict",
    ),
]
"""A guard, the same turned round, the message, the code."""


@pytest.mark.parametrize(("guard", "turned", "message", "code"), PHRASES)
def test_a_guard_that_is_turned_round_contradicts_its_message(
    guard: str, turned: str, message: str, code: str, review: Review
) -> None:
    assert review("guard_contradicts_message", _sending(guard, message, code)) == []
    found = review("guard_contradicts_message", _sending(turned, message, code))
    assert [finding.confirmed for finding in found] == [True]


@pytest.mark.parametrize(
    ("guard", "message", "code"),
    [
        ("NOT EXISTS (SELECT 1 FROM orders WHERE due_on = :due_on)", "There is no place left.", "conflict"),
        (":held = 'placed' OR :held = 'shipped'", "Only what was placed can be sent.", "conflict"),
        (":owner <> :actor_id", "Somebody else has to approve it.", "conflict"),
        (":owner IS NOT NULL", "Its owner was removed already.", "conflict"),
        (":due_on <= :today", "The sale is not over.", "conflict"),
        (":stock >= 3", "Only {stock} were sent already.", "conflict"),
        (f"NOT {_CLERK}", "Only customers can do that, not a clerk.", "forbidden"),
    ],
)
def test_like_words_that_mean_another_thing(guard: str, message: str, code: str, review: Review) -> None:
    assert review("guard_contradicts_message", _sending(guard, message, code)) == []


def _sending(guard: str, message: str, code: str) -> str:
    """A tool with one guard."""
    return f"""
- name: send
  description: Send something.
  kind: write
  params: {{due_on: {{type: string, format: date}}, quantity: {{type: integer}}}}
  required: [due_on, quantity]
  steps:
    - let:
        stock: "SELECT max(stock) FROM products"
        owner: "SELECT max(customer_id) FROM orders"
        held: "SELECT status FROM orders WHERE id = 703"
        longest: "SELECT longest FROM (SELECT max(stock) AS longest FROM products)"
        shortest: "SELECT shortest FROM (SELECT min(stock) AS shortest FROM products)"
        starts: "SELECT min(due_on) FROM orders"
        ends: "SELECT max(due_on) FROM orders"
    - require: "SELECT {guard}"
      error: {{code: {code}, message: "{message}"}}
    - do: UPDATE orders SET due_on = :due_on WHERE id = 703
"""
