"""The procedural scout: offers the shipped scenarios, in an order that goes round their categories, then grown ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...environments.canonical import seed_from
from ..base import Scenario
from ..scenarios import shipped_scenarios
from .growth import grown


class ProceduralScout:
    """`Scout` without a model. When all that ship are known it puts further ones together from the library's words."""

    async def scenarios(self, count: int, *, seed: int, known: Sequence[Scenario]) -> list[Scenario]:
        taken = {scenario.id for scenario in known} | {scenario.text for scenario in known}
        fresh = [each for each in shipped_scenarios() if each.id not in taken and each.text not in taken]
        offered = round_robin(fresh, seed)[:count]
        return offered + grown(count - len(offered), seed=seed, known=[*known, *offered])


def round_robin(scenarios: Sequence[Scenario], seed: int) -> list[Scenario]:
    """One of each category before the second of any; the order within and among categories is drawn."""
    rng = Random(seed_from("scenarios", seed))
    columns: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        columns.setdefault(scenario.category, []).append(scenario)
    drawn = [rng.sample(column, len(column)) for column in columns.values()]
    rng.shuffle(drawn)
    longest = max(map(len, drawn), default=0)
    return [column[row] for row in range(longest) for column in drawn if row < len(column)]
