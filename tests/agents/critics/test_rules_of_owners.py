"""Rules about whose rows a tool shows: what is somebody's own, and what is everybody's."""

from __future__ import annotations

import pytest

from .conftest import Review

_OWN_ORDER = """
- name: get_order
  description: An order.
  kind: read
  params: {order_id: {type: integer, ref: orders.id, scope: {where: "customer_id = :actor_id", roles: [customer]}}}
  required: [order_id]
  returns: {one: "SELECT id, status, total_cents FROM orders WHERE id = :order_id"}
"""
_WHO = '{type: integer, ref: people.id, scope: {where: "id = :actor_id", roles: [customer]}}'
_OWN_FILES = f"""
- name: get_person
  description: A person.
  kind: read
  params: {{customer_id: {_WHO}}}
  required: [customer_id]
  returns: {{one: "SELECT id, name, balance_cents FROM people WHERE id = :customer_id"}}
- name: rename
  description: Change a name.
  kind: write
  params: {{customer_id: {_WHO}, name: {{type: string}}}}
  required: [customer_id, name]
  steps: [{{do: "UPDATE people SET name = :name WHERE id = :customer_id"}}]
"""
_LIST = """
- name: list_all
  description: What there is, by whose it is.
  kind: read
  params: {customer_id: {type: integer, ref: people.id}}
  required: [REQUIRED]
  returns: {many: "SELECT id FROM TABLE WHERE (:customer_id IS NULL OR COLUMN = :customer_id)", order: id}
"""
_OWN_VISITS = """
- name: list_all
  description: The visits of one person; left out, one's own.
  kind: read
  params: {customer_id: {type: integer, ref: people.id}}
  steps: [{let: {whose: "SELECT coalesce(:customer_id, :actor_id)"}}]
  returns: {many: "SELECT id FROM visits WHERE person_id = :whose", order: id}
"""
_SEEN_VISITS = f"""
- name: list_visits
  description: The visits of a person.
  kind: read
  params: {{customer_id: {_WHO}}}
  required: [customer_id]
  returns: {{many: "SELECT id, starts_at FROM visits WHERE person_id = :customer_id", order: id}}
- name: next_visit
  description: When a person comes next.
  kind: read
  params: {{customer_id: {_WHO}}}
  required: [customer_id]
  steps: [{{let: {{visit: "SELECT min(id) FROM visits WHERE person_id = :customer_id"}}}}]
  returns: {{one: "SELECT id, starts_at FROM visits WHERE id = :visit"}}
"""
_BOOKED_VISITS = f"""
- name: book
  description: Book a visit for a person.
  kind: write
  params: {{customer_id: {_WHO}}}
  required: [customer_id]
  steps:
    - do: "INSERT INTO visits (person_id, starts_at, ends_at) VALUES (:customer_id, :now, :now) RETURNING id"
      as: new_id
  returns: {{one: "SELECT id, starts_at FROM visits WHERE id = :new_id"}}
"""
_COUNTED_VISITS = f"""
- name: busiest
  description: When a person should not come, since others do.
  kind: read
  params: {{customer_id: {_WHO}}}
  required: [customer_id]
  returns: {{many: "SELECT id, starts_at FROM visits WHERE ends_at > :now", order: id}}
"""


def _listing(table: str, column: str, required: str = "") -> str:
    return _LIST.replace("TABLE", table).replace("COLUMN", column).replace("REQUIRED", required)


@pytest.mark.parametrize(
    ("tools", "flagged"),
    [
        (_listing("visits", "person_id"), False),
        (_listing("visits", "person_id", "customer_id"), True),
        (_OWN_VISITS, True),
        (_BOOKED_VISITS + _listing("visits", "person_id"), False),
        (_COUNTED_VISITS + _listing("visits", "person_id"), False),
        (_listing("people", "id"), True),
        (_OWN_ORDER + _listing("orders", "customer_id"), True),
    ],
)
def test_whose_rows_are_shown_matters_only_where_rows_are_somebodys_own(
    tools: str, flagged: bool, review: Review
) -> None:
    """A list that is everybody's may be looked through by person, though other tools ask that it be one's own."""
    found = review("missing_actor_scope", _OWN_FILES + tools)
    assert [(finding.where, finding.confirmed) for finding in found] == [
        ("tools.list_all.params.customer_id", True)
    ] * flagged


@pytest.mark.parametrize("others", [_SEEN_VISITS, _OWN_FILES + _SEEN_VISITS.split("- name: next_visit")[0]])
def test_rows_are_somebodys_own_where_they_are_shown_by_person_and_the_person_is_checked(
    others: str, review: Review
) -> None:
    """The rows themselves need no guard: whoever asks for them has to be the person."""
    (found,) = review("missing_actor_scope", others + _listing("visits", "person_id"))
    assert (found.where, found.confirmed) == ("tools.list_all.params.customer_id", True)
