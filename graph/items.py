"""A unit of work, and what it comes to."""

from __future__ import annotations

from typing import Any, Literal

from ..agents.base import Direction, PastDefect, Scenario
from ..environments.canonical import seed_from
from ..environments.models import Fate, Frozen

ItemKind = Literal["scout", "build", "write", "measure", "evolve", "rate"]


class Item(Frozen):
    """One unit of work of a round. A procedural item is a pure function of its fields and of
    hash(run seed, key); items are committed in the order of their keys.

    build: an environment from `scenario`. write: `count` new tasks for `environment`. measure: `task` against the
    target. evolve: a child of `task` by `operator`. rate: `task` against `solver`. scout: `count` scenarios.
    """

    round: int
    kind: ItemKind
    name: str
    """Unique within round and kind."""
    scenario: Scenario | None = None
    defects: tuple[PastDefect, ...] = ()
    """Past defects near the scenario, retrieved when the round was planned."""
    environment: str | None = None
    task: str | None = None
    """A task version."""
    operator: str | None = None
    direction: Direction | None = None
    solver: str | None = None
    count: int = 0
    turn: int = 0
    """How many children the task had before."""

    @property
    def key(self) -> str:
        return f"r{self.round:04d}/{self.kind}/{self.name}"

    def seed(self, run_seed: int) -> int:
        return seed_from(run_seed, self.key)


class ItemResult(Frozen):
    """What an item came to. `payload` is what the commit writes; `reason` says why something was rejected."""

    key: str
    fate: Fate | None = None
    reason: str = ""
    payload: dict[str, Any] = {}
