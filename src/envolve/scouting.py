"""Growing a list of scenarios, without a run: what `envolve scenarios` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from envolve.agents.base import Scenario
from envolve.agents.team import TeamSpec, assemble
from envolve.memory import embedder_named
from envolve.memory.novelty import Neighbour
from envolve.memory.scenarios import ScenarioNovelty


class Refused(NamedTuple):
    """A scenario that repeats the known one that `near` names."""

    scenario: Scenario
    near: Neighbour

    def as_json(self) -> dict[str, Any]:
        return {"name": self.scenario.name, "near": self.near.id, "distance": self.near.distance}


class Scouted(NamedTuple):
    """`admitted` may be fewer than were asked for: the scout ran out."""

    admitted: tuple[Scenario, ...]
    refused: tuple[Refused, ...]


async def scout(count: int, *, known: Sequence[Scenario], seed: int) -> Scouted:
    """`count` scenarios unlike `known` and each other; what is refused is replaced while the scout has more."""
    scout = assemble(TeamSpec()).scout
    novelty = ScenarioNovelty(embedder_named())
    novelty.add((scenario.name, scenario.text) for scenario in known)
    admitted, refused = list[Scenario](), list[Refused]()
    while len(admitted) < count:
        seen = [*known, *admitted, *(entry.scenario for entry in refused)]
        offered = await scout.scenarios(count - len(admitted), seed=seed, known=seen)
        if not offered:
            break
        for scenario in offered:
            near = novelty.admit(scenario.name, scenario.text)
            if near is None:
                admitted.append(scenario)
            else:
                refused.append(Refused(scenario, near))
    return Scouted(tuple(admitted), tuple(refused))
