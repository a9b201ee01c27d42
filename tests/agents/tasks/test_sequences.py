"""Errands joined in one task: none takes another back."""

from __future__ import annotations

from typing import Any

import apsw
import pytest

from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.library import library
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.plans import Part, Plan, plan_of
from envolve.agents.procedural.tasks.sequences import contrary
from envolve.agents.procedural.tasks.speaking import Spoken
from envolve.agents.procedural.tasks.workflows import Workflow
from envolve.agents.procedural.tasks.writer import propose
from envolve.environments.changes import ChangeSet
from envolve.environments.gold import run_gold
from envolve.environments.models import RowChange, Task
from envolve.environments.package import Environment
from envolve.environments.verification import StateReader

PARTS = {**library().archetypes, **library().links}


def _done(workflow: Workflow, slot: str, row: int) -> Spoken:
    return Spoken(Part(workflow=workflow.key), workflow, {}, {slot: row}, {}, {})


def _offering(composed: dict[str, Environment], *keys: str) -> Offers:
    every = [offers_of(environment) for environment in composed.values()]
    return next(offers for offers in every if set(keys) <= offers.workflows.keys())


@pytest.mark.parametrize(
    ("first", "then", "named", "same_row", "expected"),
    [
        ("bookings.move_time", "bookings.cancel", None, True, True),
        ("bookings.move_time", "bookings.cancel", None, False, False),
        ("bookings.move_time", "bookings.cancel", 0, True, False),
        ("tickets.park", "tickets.start", None, True, True),
        ("tickets.take", "tickets.hand_to", None, True, True),
        ("tickets.comment", "tickets.resolve", None, True, False),
    ],
)
def test_what_takes_back_an_earlier_part_is_contrary(
    composed: dict[str, Environment], first: str, then: str, named: int | None, same_row: bool, expected: bool
) -> None:
    offers = _offering(composed, first, then)
    slot = first.partition(".")[0].removesuffix("s")
    done = _done(offers.workflows[first], slot, 7)
    given = {slot: 7 if same_row else 8}
    assert contrary(offers, offers.workflows[then], given, [done], {}, named_by=named) is expected


def test_what_was_just_made_is_not_ended(composed: dict[str, Environment]) -> None:
    offers = _offering(composed, "bookings.book", "bookings.cancel")
    done = _done(offers.workflows["bookings.book"], "nothing", 0)
    cancel = offers.workflows["bookings.cancel"]
    assert contrary(offers, cancel, {"booking": 5}, [done], {(0, "booking"): 5})


def test_no_proposed_task_takes_back_what_it_asks(environment: Environment, tasks: list[Task]) -> None:
    offers = offers_of(environment)
    for plan in (plan for task in tasks if (plan := plan_of(task))):
        for part in plan.parts:
            if part.follows is not None and offers.workflow(part.workflow) is not None:
                assert _goes_together(offers, plan, part), [one.workflow for one in plan.parts]


def _goes_together(offers: Offers, plan: Plan, part: Part) -> bool:
    earlier = offers.workflow(plan.parts[part.follows or 0].workflow)
    later = offers.workflow(part.workflow)
    assert earlier is not None
    assert later is not None
    named = {other.key for step in earlier.next if (other := offers.workflow(step.workflow, earlier))}
    barred = {other.key for name in later.not_after if (other := offers.workflow(name, later))}
    ends = earlier.kind == "change" and (earlier.ends or later.ends)
    return later.key in named or not (ends or earlier.key in barred)


def test_every_workflow_named_as_contrary_exists() -> None:
    for part_name, part in PARTS.items():
        for name, flow in part.workflows.items():
            for other in flow.get("not_after", ()):
                stem, _, bare = other.rpartition(".")
                assert bare in PARTS[stem or part_name].workflows, f"{part_name}.{name}: {other}"


def test_what_is_ordered_is_ordered_at_its_price(composed: dict[str, Environment]) -> None:
    """Else "Canvas bags cost $9 from today. Then order two of them" could be done the other way round."""
    shop = composed["corner-shop"]
    (task,) = propose(shop, offers_of(shop).narrowed(workflows={"orders.order_for"}), 1, seed=0)
    run = run_gold(shop, task)
    items = Composition.from_environment(shop).tables["catalogue.item"].name
    dearer = apsw.Connection(":memory:")
    dearer.deserialize("main", run.after)
    prices: list[Any] = dearer.execute(f"SELECT id, price FROM {items}").fetchall()
    dearer.execute(f"UPDATE {items} SET price = price + 1")
    risen = (
        RowChange(table=items, op="update", key={"id": id}, old={"price": price}, new={"price": price + 1})
        for id, price in prices
    )
    assert task.goal.sql is not None
    with StateReader(shop, shop.image, actor=task.actor) as reader:
        reader.show(run.after, run.changes)
        assert reader.holds(task.goal.sql)
        reader.show(dearer, ChangeSet(rows=(*run.changes.rows, *risen)))
        assert not reader.holds(task.goal.sql)
