"""What an operator is: an edit of a task's plan that is meant to make it harder, or easier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

from ....environments.package import Environment
from ..tasks.offers import Offers, offers_of
from ..tasks.plans import Part, Plan, Rows, changed
from ..tasks.references import Reference, Referrer
from ..tasks.refusals import Twins
from ..tasks.speaking import Spoken, speak
from ..tasks.workflows import Refer
from ..tasks.worlds import Unfit, World, seed_world


class Operator(Protocol):
    """`direction` is what it declares; `counterpart` names the operator that undoes it. Placebos declare none."""

    @property
    def name(self) -> str: ...

    @property
    def direction(self) -> Literal["harden", "soften"] | None: ...

    @property
    def counterpart(self) -> str | None: ...

    def apply(self, environment: Environment, plan: Plan, rng: Random) -> Plan | Twins | None:
        """A changed plan, or None where the operator does not apply. Draws from `rng` alone."""
        ...


class Edit(NamedTuple):
    """An operator made of a function."""

    name: str
    direction: Literal["harden", "soften"] | None
    counterpart: str | None
    edit: Callable[[Environment, Plan, Random], Plan | Twins | None]

    def apply(self, environment: Environment, plan: Plan, rng: Random) -> Plan | Twins | None:
        return self.edit(environment, plan, rng)


class Slot(NamedTuple):
    """One row (or set) that a part refers to; `place` is the part's."""

    place: int
    said: Spoken
    name: str
    reference: Reference


class Workbench(NamedTuple):
    """A plan laid out for editing: its world, and its parts with their references."""

    offers: Offers
    world: World
    plan: Plan
    spoken: tuple[Spoken, ...]

    def slots(self) -> Iterator[Slot]:
        for index, said in enumerate(self.spoken):
            for name, reference in said.references.items():
                yield Slot(index, said, name, reference)

    def ways(self, slot: Slot) -> tuple[Refer, ...]:
        return self.referrer(slot).ways(slot.said.workflow, slot.name, slot.reference.table)

    def options(self, slot: Slot, row: Rows | None = None) -> list[tuple[dict[str, int], Reference]]:
        """The usable ways to refer to a slot's row (or to other rows)."""
        rows = slot.reference.rows if row is None else row
        return list(
            self.referrer(slot).options(self.ways(slot), slot.reference.table, rows, slot.name, slot.said.env)
        )

    def candidates(self, slot: Slot) -> list[int]:
        """The rows that may fill a slot; none where only ways lead to it."""
        target = slot.said.workflow.targets.get(slot.name)
        query = target.query(self.plan.role) if target else None
        return [row[0] for row in self.world.rows(query, slot.said.env)] if query else []

    def referrer(self, slot: Slot) -> Referrer:
        return Referrer(self.offers, self.world, self.plan.role, slot.said.workflow.choose)

    def referring(self, slot: Slot, refer: dict[str, int], **fields: Any) -> Plan:
        """The plan with another way to refer to a slot."""
        part = self.plan.parts[slot.place]
        kept = {name: way for name, way in part.refer.items() if name.split(".")[0] != slot.name}
        return self.plan.with_part(slot.place, changed(part, refer={**kept, **refer}, **fields))


def workbench(environment: Environment, plan: Plan) -> Workbench | None:
    """The plan laid out; None if it no longer fits the environment."""
    offers = offers_of(environment)
    world = seed_world(environment, plan.actor, plan.setup)
    try:
        return Workbench(offers, world, plan, tuple(speak(offers, world, plan)))
    except Unfit:
        return None


def shuffled(items: Iterator[Any] | list[Any] | tuple[Any, ...], rng: Random) -> list[Any]:
    found = list(items)
    rng.shuffle(found)
    return found


def leaves(plan: Plan) -> list[int]:
    """Parts that no other part follows."""
    followed = {part.follows for part in plan.parts}
    return [index for index in range(len(plan.parts)) if index not in followed]


def without(plan: Plan, index: int) -> Plan:
    """The plan without a part that no other follows."""
    parts: list[Part] = []
    for place, part in enumerate(plan.parts):
        if place != index:
            after = part.follows is not None and part.follows > index
            parts.append(changed(part, follows=part.follows - 1) if after and part.follows is not None else part)
    return plan.with_parts(parts)
