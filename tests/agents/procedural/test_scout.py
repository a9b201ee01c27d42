"""The scout: shipped scenarios first, round the categories, then grown ones without end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from envolve.agents.base import Scenario
from envolve.agents.procedural import ProceduralScout
from envolve.agents.procedural.growth import grown
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.package import Environment

SHIPPED = shipped_scenarios()


def _scouted(count: int, *, seed: int = 1, known: list[Scenario] | None = None) -> list[Scenario]:
    return asyncio.run(ProceduralScout().scenarios(count, seed=seed, known=known or []))


def test_shipped_scenarios_come_first_round_the_categories() -> None:
    offered = _scouted(25)
    assert {scenario.text for scenario in offered} <= {scenario.text for scenario in SHIPPED}
    assert len({scenario.category for scenario in offered}) == 25


def test_known_scenarios_are_not_offered_again() -> None:
    known = _scouted(60)
    offered = _scouted(60, known=known)
    assert not {scenario.text for scenario in known} & {scenario.text for scenario in offered}


def test_seeds_give_different_orders() -> None:
    assert [one.id for one in _scouted(20)] != [one.id for one in _scouted(20, seed=2)]
    assert _scouted(20) == _scouted(20)


def test_more_grow_when_the_list_is_used_up() -> None:
    offered = _scouted(400)
    assert len(offered) == 400
    assert len({scenario.text for scenario in offered}) == 400
    assert len({scenario.name for scenario in offered}) == 400
    counts = Counter(scenario.category for scenario in offered[120:])
    assert len(counts) == 25
    assert max(counts.values()) <= 2 * min(counts.values())


def test_grown_scenarios_read_like_sentences() -> None:
    for scenario in grown(100, seed=3, known=SHIPPED):
        assert "{" not in scenario.text
        assert " a a" not in scenario.text
        assert all(sentence[0].isupper() for sentence in scenario.text.rstrip(".").split(". "))


def test_grown_scenarios_are_unlike_known_ones() -> None:
    first = grown(50, seed=3, known=[])
    again = grown(50, seed=3, known=first)
    assert not {one.text for one in first} & {one.text for one in again}


def test_grown_scenarios_become_environments(compose: Callable[..., Environment]) -> None:
    for scenario in grown(4, seed=5, known=[]):
        environment = compose(scenario)
        assert environment.spec.category == scenario.category
        assert len(environment.tables()) >= 10
