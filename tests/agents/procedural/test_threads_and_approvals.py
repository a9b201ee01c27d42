"""Conversations, and requests that are approved: what their tools and links promise, over seeded worlds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from envolve.agents.procedural.coder import render
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.library import library
from envolve.agents.tester.stage import Stage
from envolve.environments.models import Actor, CallResult
from envolve.environments.package import Environment

NOUNS = {
    "people.person": "person",
    "threads.thread": "conversation",
    "threads.label": "label",
    "threads.message": "message",
    "threads.tagging": "conversation label",
    "threads.participant": "participant",
    "approvals.request": "request",
    "approvals.kind": "request type",
    "approvals.budget": "budget",
    "approvals.allowance": "allowance",
    "approvals.review": "request review",
}
THREADS = {"membership": "pair", "labels": "one", "notes": "none", "closing": "staff_reopens", "discipline": "anyone"}
APPROVALS = {
    "limits": "budgets",
    "steps": "single",
    "deciding": "any_staff",
    "sending_back": "none",
    "settling": "actual",
}


def _design(*, links: tuple[str, ...] = (), seed: int = 3, **archetypes: Mapping[str, str]) -> Design:
    people = {"staffing": "flat", "contact": "plain", "file": "none"}
    return Design(
        scenario="",
        name="Somewhere",
        category="general",
        seed=seed,
        clock="2026-03-02 09:30:00",
        archetypes={"people": people, **{name: dict(variants) for name, variants in archetypes.items()}},
        links={link: {} for link in links},
        nouns=NOUNS,
        roles={"customer": "customer", "staff": "clerk", "manager": "manager"},
    )


class _World:
    """A stage, and shorthand for who acts."""

    def __init__(self, environment: Environment) -> None:
        self.stage = Stage(environment)

    def people(self, role: str) -> list[Actor]:
        rows = self.stage.query(f"SELECT id FROM people WHERE role = '{role}' AND status = 'active' ORDER BY id")
        return [Actor(roles=(role,), id=int(str(row[0]))) for row in rows]

    def call(self, actor: Actor, tool: str, **args: Any) -> CallResult:
        return self.stage.call(tool, args, actor).result

    def done(self, actor: Actor, tool: str, **args: Any) -> dict[str, Any]:
        result = self.call(actor, tool, **args)
        assert result.ok, result.error
        value: dict[str, Any] = result.value
        return value

    def refused(self, actor: Actor, tool: str, **args: Any) -> str:
        result = self.call(actor, tool, **args)
        assert result.error is not None
        return result.error.code

    def one(self, sql: str, **bound: Any) -> Any:
        return self.stage.query(sql, **bound)[0][0]


@pytest.fixture(scope="module")
def conversations() -> Environment:
    return render(_design(threads=THREADS))


@pytest.fixture(scope="module")
def requests() -> Environment:
    return render(_design(approvals=APPROVALS))


def _alternating(name: str, first: int) -> dict[str, str]:
    """The variants of an archetype, every other one at its second choice."""
    variants = library().archetypes[name].variants
    return {key: choices[(index + first) % len(choices)] for index, (key, choices) in enumerate(variants.items())}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("links", [(), ("decision_told",)])
def test_seeds_keep_the_invariants(first: int, links: tuple[str, ...]) -> None:
    threads, approvals = _alternating("threads", first), _alternating("approvals", first)
    environment = render(_design(links=links, seed=first, threads=threads, approvals=approvals))
    with Stage(environment) as stage:
        broken = [invariant.name for invariant in environment.spec.invariants if stage.query(invariant.sql)]
    assert broken == []


def test_whose_turn_it_is_follows_from_who_wrote_last(conversations: Environment) -> None:
    world = _World(conversations)
    guest, clerk = world.people("customer")[0], world.people("clerk")[0]
    started = world.done(guest, "start_conversation", subject="A lost scarf", text="Has it been found?")["id"]
    assert world.refused(clerk, "close_conversation", conversation_id=started) == "conflict"
    assert world.done(clerk, "get_conversation", conversation_id=started)["unread"] == 1
    world.done(clerk, "send_message", conversation_id=started, text="It has.")
    assert world.done(clerk, "get_conversation", conversation_id=started)["unread"] == 0
    assert world.done(guest, "get_conversation", conversation_id=started)["unread"] == 1
    world.done(clerk, "close_conversation", conversation_id=started)
    assert world.refused(guest, "send_message", conversation_id=started, text="Thanks!") == "conflict"
    assert world.done(clerk, "reopen_conversation", conversation_id=started)["status"] == "answered"


def test_a_reply_opens_a_closed_conversation_where_the_variant_says_so() -> None:
    world = _World(render(_design(threads={**THREADS, "membership": "circle", "closing": "reply_reopens"})))
    guest, clerk = world.people("customer")[0], world.people("clerk")[0]
    started = world.done(clerk, "start_conversation", customer_id=guest.id, subject="Hello", text="All well?")["id"]
    world.done(clerk, "assign_conversation", conversation_id=started, handler_id=clerk.id)
    world.done(clerk, "close_conversation", conversation_id=started)
    assert world.done(guest, "send_message", conversation_id=started, text="Yes.")["conversation_status"] == "open"
    assert world.one("SELECT handler_id IS NULL FROM conversations WHERE id = :id", id=started) == 1


def test_internal_messages_stay_among_the_staff() -> None:
    world = _World(render(_design(threads={**THREADS, "membership": "circle", "notes": "internal"})))
    guest, clerk = world.people("customer")[0], world.people("clerk")[0]
    started = world.done(guest, "start_conversation", subject="A question", text="Are you open?")["id"]
    told = world.done(clerk, "send_message", conversation_id=started, text="No idea.", internal=True)
    assert told["conversation_status"] == "open"
    read = [message["text"] for message in world.done(guest, "list_messages", conversation_id=started)["items"]]
    assert read == ["Are you open?"]
    assert world.done(guest, "list_conversations", words="no idea")["items"] == []
    assert world.refused(guest, "send_message", conversation_id=started, text="?", internal=True) == "forbidden"


def test_nobody_handles_more_than_six_conversations(conversations: Environment) -> None:
    world = _World(conversations)
    manager = world.people("manager")[0]
    free = world.stage.query(
        "SELECT id FROM conversations WHERE status <> 'closed' AND handler_id IS NOT :id ORDER BY id", id=manager.id
    )
    handled = world.one(
        "SELECT count(*) FROM conversations WHERE status <> 'closed' AND handler_id = :id", id=manager.id
    )
    codes = [
        world.call(manager, "assign_conversation", conversation_id=row[0], handler_id=manager.id) for row in free[:7]
    ]
    assert [result.ok for result in codes] == [index < 6 - int(handled) for index in range(7)]


def _filed(world: _World, amount: int) -> tuple[int, int]:
    """A request filed by a customer under the type that allows most; its id and its budget's."""
    kind = world.one("SELECT id FROM request_types ORDER BY max_amount DESC LIMIT 1")
    budget = world.one("SELECT id FROM budgets ORDER BY amount - committed DESC LIMIT 1")
    free = world.one(
        "SELECT id FROM people p WHERE role = 'customer' AND status = 'active' AND NOT EXISTS "
        "(SELECT 1 FROM requests r WHERE r.customer_id = p.id AND r.decided_on IS NULL) ORDER BY id LIMIT 1"
    )
    guest = Actor(roles=("customer",), id=int(free))
    filed = world.done(
        guest, "file_request", request_type_id=kind, budget_id=budget, subject="a canoe", amount=amount
    )
    return filed["id"], int(budget)


def test_what_is_approved_is_committed_and_what_was_not_needed_comes_back(requests: Environment) -> None:
    world = _World(requests)
    clerk = world.people("clerk")[0]
    request, budget = _filed(world, 40_000)
    before = world.one("SELECT committed FROM budgets WHERE id = :id", id=budget)
    assert world.refused(clerk, "approve_request", request_id=request) == "conflict"
    world.done(clerk, "assign_request", request_id=request, reviewer_id=clerk.id)
    world.done(clerk, "approve_request", request_id=request)
    assert world.one("SELECT committed FROM budgets WHERE id = :id", id=budget) == before + 40_000
    world.done(clerk, "settle_request", request_id=request, final_amount=31_500)
    assert world.one("SELECT committed FROM budgets WHERE id = :id", id=budget) == before + 31_500


def test_large_requests_are_for_managers(requests: Environment) -> None:
    world = _World(requests)
    clerk, manager = world.people("clerk")[0], world.people("manager")[0]
    request, _ = _filed(world, 50_100)
    world.done(clerk, "assign_request", request_id=request, reviewer_id=clerk.id)
    assert world.refused(clerk, "approve_request", request_id=request) == "forbidden"
    assert world.done(manager, "approve_request", request_id=request)["status"] == "approved"


def test_two_steps_take_two_people() -> None:
    world = _World(render(_design(approvals={**APPROVALS, "steps": "two"})))
    first, second = world.people("manager")
    request, budget = _filed(world, 60_000)
    before = world.one("SELECT committed FROM budgets WHERE id = :id", id=budget)
    world.done(first, "assign_request", request_id=request, reviewer_id=first.id)
    assert world.done(first, "approve_request", request_id=request)["status"] == "endorsed"
    assert world.one("SELECT committed FROM budgets WHERE id = :id", id=budget) == before
    assert world.refused(first, "approve_request", request_id=request) == "forbidden"
    assert world.done(second, "approve_request", request_id=request)["status"] == "approved"
    assert [row["step"] for row in world.done(first, "list_request_reviews", request_id=request)["items"]] == [1, 2]


def test_overdue_requests_are_decided_by_managers(requests: Environment) -> None:
    world = _World(requests)
    clerk, manager = world.people("clerk")[0], world.people("manager")[0]
    late = world.one("SELECT id FROM requests WHERE status = 'in_review' AND due_on < :today ORDER BY id LIMIT 1")
    assert world.refused(clerk, "turn_down_request", request_id=late, reason="too late") == "forbidden"
    assert world.done(manager, "turn_down_request", request_id=late, reason="too late")["status"] == "turned_down"


def test_whoever_is_turned_down_is_told_in_a_conversation() -> None:
    world = _World(render(_design(threads=THREADS, approvals=APPROVALS, links=("decision_told",))))
    manager = world.people("manager")[0]
    request, owner = world.stage.query("SELECT id, customer_id FROM requests WHERE status = 'in_review' ORDER BY id")[
        0
    ]
    world.done(manager, "turn_down_request", request_id=request, reason="not this year")
    told = world.done(manager, "list_conversations", request_id=request)["items"]
    assert [(item["customer_id"], item["status"]) for item in told] == [(owner, "answered")]
    written = world.done(manager, "list_messages", conversation_id=told[0]["id"])["items"]
    assert [message["text"] for message in written] == ["not this year"]


@pytest.mark.parametrize("name", ["threads", "approvals"])
def test_every_workflow_can_be_worded_in_several_ways(name: str) -> None:
    composition = Composition(_design(threads=_alternating("threads", 0), approvals=_alternating("approvals", 0)))
    flows = [flow for flow in composition.workflows if flow["key"].startswith(f"{name}.")]
    assert len([flow for flow in flows if flow["kind"] == "change"]) >= 8
    assert len([flow for flow in flows if flow["kind"] == "question"]) >= 4
    assert all(len(flow["say"]) >= 3 for flow in flows)
    assert len([item for item in composition.policies if item["part"] == name]) >= 5
