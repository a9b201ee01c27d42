"""What a scout has so far: known and new scenarios, what was refused, and what to ask for next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final, NamedTuple

import yaml

from ....environments.canonical import seed_from
from ....memory.embedders import Embedder
from ....memory.scenarios import ScenarioNovelty
from ...base import Scenario
from ...scenarios import shipped_scenarios
from .balance import Balance
from .embedding import Remembering

BATCH: Final = 24
"""Scenarios that one call is asked for at most."""
WAVE: Final = 4
"""Calls at once, each for other categories."""
_SPARE: Final = 1.3
_EXAMPLES: Final = 4
_MOST_NAMES: Final = 150
_MOST_REFUSED: Final = 12


class Rated(NamedTuple):
    """A scenario after its second reading; `fault` says why it is not suitable (empty: it is)."""

    scenario: Scenario
    fault: str


class Refused(NamedTuple):
    """Why a scenario was not taken; for a near-copy the reason names its neighbour."""

    name: str
    reason: str


class Ask(NamedTuple):
    """One batch: how many of which category, the names there are in them, and examples of how to write."""

    number: int
    wanted: dict[str, int]
    names: tuple[str, ...]
    examples: tuple[Scenario, ...]

    @property
    def size(self) -> int:
        return sum(self.wanted.values())


@cache
def categories() -> dict[str, str]:
    """Each category with what belongs to it."""
    found: dict[str, str] = yaml.safe_load((files(__package__) / "categories.yaml").read_text(encoding="utf-8"))
    return found


class Pool:
    """Grows towards `count` scenarios. Everything here is a function of what it was given, in order."""

    def __init__(self, count: int, *, known: Sequence[Scenario], seed: int, embedder: Embedder) -> None:
        self.admitted: list[Scenario] = []
        self.refused: list[Refused] = []
        self._count = count
        self._seed = seed
        self._known = list(known)
        self._examples = _examples(known, seed)
        self._balance = Balance(tuple(categories()), (scenario.category for scenario in known), count)
        self._names = {scenario.id: scenario.name for scenario in known}
        self._novelty = ScenarioNovelty(Remembering(embedder))
        shown = [scenario for scenario in self._examples if scenario.id not in self._names]
        self._novelty.add((scenario.name, scenario.text) for scenario in (*known, *shown))

    @property
    def missing(self) -> int:
        return self._count - len(self.admitted)

    def asks(self, first: int, *, most: int = WAVE) -> list[Ask]:
        """The next batches, numbered from `first`, that can be asked for at once; `most` of them."""
        count = math.ceil(self.missing * _SPARE)
        batches = min(most, math.ceil(count / BATCH))
        wanted = self._balance.ask(min(count, batches * BATCH), Random(seed_from("scout", self._seed, first)))
        shares = [dict(list(wanted.items())[place::batches]) for place in range(batches)]
        return [self._ask(first + place, share) for place, share in enumerate(shares) if share]

    def _ask(self, number: int, share: dict[str, int]) -> Ask:
        names = [each.name for each in (*self._known, *self.admitted) if each.category in share]
        rng = Random(seed_from("examples", self._seed, number))
        return Ask(
            number=number,
            wanted=share,
            names=tuple(names if len(names) <= _MOST_NAMES else sorted(rng.sample(names, _MOST_NAMES))),
            examples=tuple(rng.sample(self._examples, min(_EXAMPLES, len(self._examples)))),
        )

    def last_refused(self) -> list[Refused]:
        return self.refused[-_MOST_REFUSED:]

    def near_copy(self, scenario: Scenario) -> Refused | None:
        """Why a scenario repeats what is known by now; None if it does not. Takes nothing in."""
        if scenario.id in self._names:
            return Refused(scenario.name, f"its name is that of {self._names[scenario.id]!r}")
        near = self._novelty.repeated(scenario.text)
        return None if near is None else Refused(scenario.name, f"too close to {near.id!r}: {near.summary}")

    def take(self, rated: Sequence[Rated], copies: Sequence[Refused] = ()) -> None:
        """Take in what is suitable, new and within its category's cap, in order."""
        self.refused += copies
        for scenario, fault in rated:
            refused = self._refusal(scenario, fault)
            if refused is not None:
                self.refused.append(refused)
            elif self.missing > 0:
                self._admit(scenario)

    def _refusal(self, scenario: Scenario, fault: str) -> Refused | None:
        if fault:
            return Refused(scenario.name, f"not suitable: {fault}")
        if self._balance.full(scenario.category):
            return Refused(scenario.name, f"there are enough of {scenario.category}")
        return self.near_copy(scenario)

    def _admit(self, scenario: Scenario) -> None:
        self._novelty.add([(scenario.name, scenario.text)])
        self._names[scenario.id] = scenario.name
        self._balance.take(scenario.category)
        self.admitted.append(scenario)


def _examples(known: Sequence[Scenario], seed: int) -> list[Scenario]:
    """Known scenarios that are written out, or shipped ones where there are too few."""
    told = [scenario for scenario in known if len(scenario.text) >= 80]
    usable = told if len(told) >= _EXAMPLES else shipped_scenarios()
    return Random(seed_from("style", seed)).sample(usable, min(len(usable), 3 * _EXAMPLES))
