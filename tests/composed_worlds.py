"""Databases of compositions, without a package around them."""

from __future__ import annotations

import apsw

from envolve.agents.procedural.composition import Composition
from envolve.environments.functions import add_functions


def filled(composition: Composition) -> apsw.Connection:
    """Schema and seed, with foreign keys watched."""
    world = apsw.Connection(":memory:")
    world.execute("PRAGMA foreign_keys = ON")
    add_functions(world)
    world.execute(composition.schema_sql)
    world.execute(composition.seed_sql())
    return world


def broken_invariants(composition: Composition, world: apsw.Connection) -> list[str]:
    """Names of those that do not hold."""
    clock = {"now": composition.design.clock, "today": composition.design.clock[:10]}
    return [item["name"] for item in composition.invariants if world.execute(item["sql"], clock).fetchall()]
