"""The scout: shipped scenarios first, round the categories, then grown ones without end."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from random import Random

from envolve.agents.base import Scenario
from envolve.agents.procedural import ProceduralScout
from envolve.agents.procedural.growth import grown
from envolve.agents.procedural.library import library
from envolve.agents.procedural.telling import Words
from envolve.agents.procedural.trades import trades_of_archetypes
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.package import Environment
from envolve.memory import embedder_named
from envolve.memory.scenarios import ScenarioNovelty

SHIPPED = shipped_scenarios()
CATEGORIES = {name for name, lexicon in library().lexicons.items() if lexicon.trades}


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
    offered = _scouted(260)
    assert len(offered) == 260
    assert len({scenario.text for scenario in offered}) == 260
    assert len({scenario.name for scenario in offered}) == 260
    counts = Counter(scenario.category for scenario in offered[len(SHIPPED) :])
    assert set(counts) == CATEGORIES
    assert max(counts.values()) - min(counts.values()) <= 1


def test_settings_are_noun_phrases_of_which_none_is_told_twice() -> None:
    settings = [
        setting
        for lexicon in library().lexicons.values()
        for trade in lexicon.trades.values()
        for setting in trade.settings
    ]
    assert [setting for setting in settings if not re.match(r"an? \w", setting)] == []
    assert [setting for setting in settings if not 8 <= len(setting.split()) <= 20] == []
    assert [setting for setting in settings if setting.endswith((".", ",")) or '"' in setting] == []
    assert len({*settings}) == len(settings)
    assert all(
        len(trade.settings) >= 5 for lexicon in library().lexicons.values() for trade in lexicon.trades.values()
    )


def test_where_archetypes_make_sense_names_trades_that_exist() -> None:
    trades = {name for lexicon in library().lexicons.values() for name in lexicon.trades}
    listed = {trade for rows in trades_of_archetypes().values() for names in rows.values() for trade in names}
    assert listed - trades == set()
    assert {name for rows in trades_of_archetypes().values() for name in rows} <= library().archetypes.keys()


def test_no_two_trades_have_one_name() -> None:
    names = [name for lexicon in library().lexicons.values() for name in lexicon.trades]
    assert len({*names}) == len(names)


def test_grown_scenarios_read_like_sentences() -> None:
    for scenario in grown(50, seed=3, known=SHIPPED):
        assert not set("{}") & set(scenario.text)
        assert not re.search(r"\b(\w+) \1\b", scenario.text, re.IGNORECASE), scenario.text
        assert all(sentence[0].isupper() for sentence in scenario.text.rstrip(".").split(". "))


def test_grown_scenarios_of_a_category_stand_in_different_places() -> None:
    offered = grown(100, seed=4, known=SHIPPED)
    named = Counter((scenario.category, scenario.name) for scenario in offered)
    settings = Counter(
        setting
        for scenario in offered
        for trade in library().lexicons[scenario.category].trades.values()
        for setting in trade.settings
        if setting.lower() in scenario.text.lower()
    )
    assert max(named.values()) == max(settings.values()) == 1
    assert len(settings) == 100


def test_few_grown_scenarios_repeat_a_known_one() -> None:
    novelty = ScenarioNovelty(embedder_named())
    novelty.add((scenario.name, scenario.text) for scenario in SHIPPED)
    offered = grown(50, seed=6, known=SHIPPED)
    refused = [scenario for scenario in offered if novelty.admit(scenario.name, scenario.text) is not None]
    assert len(refused) <= 5


def test_grown_scenarios_are_unlike_known_ones() -> None:
    first = grown(50, seed=3, known=[])
    again = grown(50, seed=3, known=first)
    assert not {one.text for one in first} & {one.text for one in again}


def test_an_archetype_speaks_of_its_own_things_first() -> None:
    """`item` is what is done in a project, though what is on the shelves is called so too."""
    source = library()
    clashing = [
        (name, slot)
        for name, part in source.archetypes.items()
        for slot in part.entities
        if any(slot in other.entities for key, other in source.archetypes.items() if key != name)
    ]
    lexicon = source.lexicons["arts"]
    for trade in lexicon.trades.values():
        words = Words(lexicon, trade, source, Random(1))
        assert all(words.keys(f"a {{{slot}}}", name) == {f"{name}.{slot}"} for name, slot in clashing)
    assert clashing


def test_grown_scenarios_become_environments(compose: Callable[..., Environment]) -> None:
    for scenario in grown(4, seed=5, known=[]):
        environment = compose(scenario)
        assert environment.spec.category == scenario.category
        assert len(environment.tables()) >= 10
