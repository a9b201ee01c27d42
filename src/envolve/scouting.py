"""Growing a list of scenarios, without a run: what `envolve scenarios` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from envolve.agents.base import Scenario
from envolve.agents.team import TeamSpec, assemble
from envolve.environments.canonical import seed_from
from envolve.environments.errors import EnvolveError
from envolve.eval.usage import metered
from envolve.memory import embedder_named
from envolve.memory.novelty import Neighbour
from envolve.memory.scenarios import ScenarioNovelty

from .teams import Spent, spent_by

AT_ONCE = 24
"""Scenarios that a model is asked for before what came is handed on."""


class Refused(NamedTuple):
    """A scenario that repeats the known one that `near` names."""

    scenario: Scenario
    near: Neighbour

    def as_json(self) -> dict[str, Any]:
        return {"name": self.scenario.name, "near": self.near.id, "distance": self.near.distance}


class Scouted(NamedTuple):
    """`admitted` may be fewer than were asked for: the scout ran out, or a model failed it (`stopped`)."""

    admitted: tuple[Scenario, ...]
    refused: tuple[Refused, ...]
    spent: Spent = Spent()
    stopped: EnvolveError | None = None


async def grow(
    count: int,
    *,
    known: Sequence[Scenario],
    seed: int,
    spec: TeamSpec | None = None,
    on_found: Callable[[Scouted], None] | None = None,
) -> Scouted:
    """`count` scenarios unlike `known` and each other; what is refused is replaced while the scout has more.

    `on_found` is told of all there is so far, each time that more came. Errors: InputError for a scout that is not
    known; those of its model if it brought nothing at all.
    """
    spec = spec or TeamSpec()
    offering = assemble(spec).scout
    novelty = ScenarioNovelty(embedder_named())
    novelty.add((scenario.name, scenario.text) for scenario in known)
    admitted, refused = list[Scenario](), list[Refused]()
    asked, stopped = 0, None
    with metered() as usage:

        def found() -> Scouted:
            return Scouted(tuple(admitted), tuple(refused), spent_by(spec.models, usage), stopped)

        while len(admitted) < count:
            seen = [*known, *admitted, *(entry.scenario for entry in refused)]
            wanted = count - len(admitted)
            try:
                offered = await offering.scenarios(
                    min(wanted, AT_ONCE) if spec.models else wanted,
                    seed=seed_from(seed, "scenarios", asked) if spec.models else seed,
                    known=seen,
                )
            except EnvolveError as error:
                if not admitted:
                    raise
                stopped = error
                break
            if not offered:
                break
            asked += 1
            for scenario in offered:
                near = novelty.admit(scenario.name, scenario.text)
                if near is None:
                    admitted.append(scenario)
                else:
                    refused.append(Refused(scenario, near))
            if on_found is not None:
                on_found(found())
    return found()
