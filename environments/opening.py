"""Opening the world of an episode: one of its own, or one that remembers together with others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .clock import WorldClock
from .functions import CodeMaker
from .limits import Limits
from .models import Actor
from .numbering import Numbers
from .remembering import Memory, RememberedWorld, Start
from .returning import ReturningWorld
from .world import World

if TYPE_CHECKING:
    from .kit import Kit

W = TypeVar("W", bound=World)


def opened(
    kit: Kit, memory: Memory | None, image: bytes, actor: Actor, limits: Limits, seed: int
) -> World | RememberedWorld:
    """A fresh world for an actor who may act in it. `seed` is that of its codes."""

    def made(kind: type[W]) -> W:
        return kind(
            image,
            tables=kit.built.tables,
            guard=kit.guard,
            clock=WorldClock(kit.spec.clock),
            codes=CodeMaker(seed),
            actor_id=actor.id,
            roles=actor.roles,
            limits=limits,
            numbers=Numbers(kit.numbered),
        )

    if memory is None:
        return made(World)
    start = Start.of(image, actor, seed, limits)
    return memory.world(start, kit.built.tables, lambda: made(ReturningWorld))
