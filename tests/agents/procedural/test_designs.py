"""Designs: the same everywhere for the same brief, and different where they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.base import Brief, Neighbour, Scenario
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.drawing import draw
from envolve.agents.procedural.inflection import plural
from envolve.agents.procedural.library import library
from envolve.agents.procedural.matching import Embed, archetype_scores, category_of
from envolve.agents.procedural.naming import snake
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.package import Environment
from envolve.memory.embedders.meaning import meaning

LIBRARY_SHOP = "Borrowers reserve books and study rooms, pay fines and report damage; librarians renew loans."


def _brief(text: str, *, seed: int = 1, **given: Any) -> Brief:
    return Brief(scenario=Scenario(id="given", name="Given", category="", text=text), seed=seed, **given)


def test_same_brief_gives_the_same_environment_in_any_process() -> None:
    program = (
        "import asyncio, sys\n"
        "from envolve.agents.base import Brief\n"
        "from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder\n"
        "from envolve.agents.scenarios import shipped_scenarios\n"
        "async def main():\n"
        "    for scenario in shipped_scenarios()[::40]:\n"
        "        brief = Brief(scenario=scenario, seed=3)\n"
        "        made = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))\n"
        "        sys.stdout.write(f'{made.id} {made.hash}\\n')\n"
        "asyncio.run(main())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "77")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 3


def test_seeds_give_different_structures() -> None:
    designs = [draw(_brief(LIBRARY_SHOP, seed=seed)) for seed in range(8)]
    structures = {repr((design.archetypes, design.links)) for design in designs}
    assert len(structures) == 8
    assert len({tuple(sorted(design.archetypes)) for design in designs}) >= 4


@pytest.mark.parametrize("seed", range(4))
def test_retries_take_other_archetypes(seed: int) -> None:
    designs = [draw(_brief(LIBRARY_SHOP, seed=seed, attempt=attempt)) for attempt in range(3)]
    assert len({tuple(sorted(design.archetypes)) for design in designs}) == 3


def test_neighbours_are_kept_away_from() -> None:
    told = (
        "Members book rooms and courts; bookings are confirmed, moved and cancelled; slots, sessions, appointments."
    )
    near = (Neighbour(id="other", view="structure", distance=0.1, summary=told),)
    free = [draw(_brief(LIBRARY_SHOP, seed=seed)).archetypes for seed in range(12)]
    kept = [draw(_brief(LIBRARY_SHOP, seed=seed, avoid=near)).archetypes for seed in range(12)]
    assert sum("bookings" in chosen for chosen in kept) < sum("bookings" in chosen for chosen in free)


@pytest.mark.parametrize(
    ("text", "archetypes"),
    [
        ("A recruiting agency that fills nurses' shifts; nurses apply for openings.", {"hiring", "shifts"}),
        ("A village society where members vote on motions by ballot.", {"ballots"}),
        ("An auction house: bidders register, bid on lots, and settle what they won.", {"auctions"}),
    ],
)
def test_what_a_text_is_most_about_is_nearly_always_there(text: str, archetypes: set[str]) -> None:
    """Whatever else is usual in its field."""
    drawn = [draw(_brief(text, seed=seed, size={"tables": 18, "tools": 35})).archetypes for seed in range(12)]
    assert sum(archetypes <= chosen.keys() for chosen in drawn) >= 9


def test_size_is_at_least_what_the_brief_asks(compose: Callable[..., Environment]) -> None:
    environment = compose(LIBRARY_SHOP, size={"tables": 18, "tools": 35})
    assert len(environment.tables()) >= 18
    assert len(environment.tools) >= 35


def test_an_impossible_size_gives_the_nearest(compose: Callable[..., Environment]) -> None:
    assert len(compose(LIBRARY_SHOP, size={"tables": 500}).tables()) > 30


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "🍣🍣",
        "Eine Werkstatt, in der Fahrräder repariert und vermietet werden.",
        "Магазин книг и подарков",
        "{{ 7 * 7 }} {% for x in y %} '; DROP TABLE people; --",
        "The order of a group, its table, index, value, plan and check.",
        "a " * 2000,
    ],
)
def test_any_text_gives_something_sensible(text: str, compose: Callable[..., Environment]) -> None:
    environment = compose(text)
    assert len(environment.tables()) >= 10
    assert len(environment.tools) >= 18


@pytest.mark.parametrize("attempt", range(4))
def test_small_designs_have_further_attempts(attempt: int) -> None:
    """Of one archetype there are not two to leave out the next time."""
    for seed in range(12):
        brief = _brief(LIBRARY_SHOP, seed=seed, attempt=attempt)
        assert draw(brief.model_copy(update={"size": {"tables": 4, "tools": 8}})).archetypes


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=200), st.integers(0, 2**62), st.integers(0, 3))
def test_every_text_can_be_designed(text: str, seed: int, attempt: int) -> None:
    design = draw(_brief(text, seed=seed, attempt=attempt))
    assert "people" in design.archetypes
    names = [*design.nouns.values(), *design.roles.values()]
    assert len(set(names)) == len(names)


def test_scenarios_are_recognised_by_their_words() -> None:
    source = library()
    shipped = shipped_scenarios()
    right = sum(category_of(f"{one.name}. {one.text}", "", source) == one.category for one in shipped)
    assert right >= 0.95 * len(shipped)


def test_meaning_counts_where_an_embedding_is_given() -> None:
    source = library()
    wanted = source.archetypes["tickets"].about

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if text in (wanted, "qwerty") else [0.0, 1.0] for text in texts]

    scores = archetype_scores("qwerty", source, embed)
    assert max(scores, key=lambda name: scores[name]) == "tickets"
    assert max(archetype_scores("qwerty", source).values()) == 0


def test_designs_can_be_read_back(compose: Callable[..., Environment]) -> None:
    environment = compose(LIBRARY_SHOP)
    composition = Composition.from_environment(environment)
    assert composition.schema_sql == environment.schema_sql
    assert composition.seed_sql() == environment.seed_sql
    assert {tool.name for tool in composition.tools} == set(environment.tools)
    assert Composition.from_environment(environment) is composition
    assert Design.model_validate_json(composition.design.model_dump_json()) == composition.design


def test_no_workflow_calls_a_tool_that_was_left_out(compose: Callable[..., Environment]) -> None:
    for scenario in shipped_scenarios()[::25]:
        environment = compose(scenario)
        composition = Composition.from_environment(environment)
        steps = [step for flow in composition.workflows for step in flow["gold"]]
        steps += [step for ways in composition.refers.values() for way in ways for step in way["find"]]
        assert {step["call"] for step in steps if "call" in step} <= set(environment.tools)


def test_a_world_has_one_way_of_writing_to_each_other() -> None:
    for seed in range(30):
        design = draw(_brief("Members write messages, post in groups and hold conversations with staff.", seed=seed))
        assert not {"threads", "channels"} <= design.archetypes.keys()


@pytest.mark.parametrize(
    ("text", "archetype"),
    [
        ("Coders keep track of bugs and who mends them.", "tickets"),
        ("Firms look for a new cook; people send their CVs and are talked to.", "hiring"),
        ("Lawyers gather papers and go before a judge for their clients.", "cases"),
        ("Volunteers look after strays; people give money each month so that animals are fed.", "pledges"),
    ],
)
def test_meaning_finds_what_words_miss(text: str, archetype: str) -> None:
    def best(embed: Embed | None) -> str:
        scores = archetype_scores(text, library(), embed)
        return max(scores, key=lambda name: scores[name])

    assert best(None) != archetype
    assert best(meaning) == archetype
    drawn = [
        draw(_brief(text, seed=seed, size={"tables": 18, "tools": 35}), embed=meaning).archetypes for seed in range(8)
    ]
    assert sum(archetype in chosen for chosen in drawn) >= 6


def test_a_group_of_goods_is_not_called_like_the_place_where_they_lie(compose: Callable[..., Environment]) -> None:
    """Both would be `shelf_id`."""
    text = "A shop where products lie on shelves, each shelf a category"
    for seed in range(4):
        nouns = compose(text, seed=seed).spec.provenance.design["nouns"]
        assert nouns.get("catalogue.category") != "shelf"


@pytest.mark.parametrize("part", ["tickets", "threads"])
def test_a_customer_is_not_called_like_the_member_of_staff_beside_them(
    part: str, compose: Callable[..., Environment]
) -> None:
    """A training school for dogs calls its customers handlers, and whoever handles an incident has a column of that
    name, so that one table would hold both under one."""
    text = {"tickets": "handlers report incidents", "threads": "handlers write messages in threads"}[part]
    environment = compose(f"A dog training school where {text}", size={"tables": 20, "tools": 40})
    design = Composition.from_environment(environment).design
    assert {part, design.trade} == {part, "dog training"}
    assert part in design.archetypes
    table = environment.tables()[snake(plural(design.nouns[f"{part}.{part.removesuffix('s')}"]))]
    assert {"handler_id", f"{snake(design.roles['customer'])}_id"} <= {column.name for column in table.columns}
    assert design.roles["customer"] != "handler"
