"""The shipped library: every archetype and link in every variant, and seeds over many draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.coder import render
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.drawing import draw
from envolve.agents.procedural.inflection import article, inflected, plural
from envolve.agents.procedural.library import Archetype, Library, Link, library, read_library, shipped_nouns
from envolve.agents.procedural.linting import (
    check_archetypes,
    check_together,
    design_of,
    structures_of,
    structures_together,
)
from envolve.agents.procedural.tasks.worlds import World
from envolve.environments.errors import InputError
from envolve.environments.models import Actor

from ...composed_worlds import broken_invariants, filled

LIBRARY = library()
PARTS = [*LIBRARY.archetypes, *LIBRARY.links]


@pytest.mark.parametrize("part", PARTS)
def test_part_is_sound_in_every_variant(part: str) -> None:
    assert check_archetypes(only=[part], seeds=1) == []


def test_there_are_enough_parts() -> None:
    assert len(LIBRARY.archetypes) >= 9
    assert len(LIBRARY.links) >= 8
    assert len(LIBRARY.lexicons) == 26
    for name, part in LIBRARY.archetypes.items():
        assert len(part.variants) >= 2, name
        assert len(part.workflows) >= 3, name
        assert len(part.questions) >= 2 or name == "channels", name


def test_every_request_can_be_said_in_three_ways() -> None:
    for part in (*LIBRARY.archetypes.values(), *LIBRARY.links.values()):
        for name, flow in (*part.workflows.items(), *part.questions.items()):
            assert len(flow["say"]) >= 3, name


@pytest.mark.parametrize("start", range(0, 40, 20))
def test_seeds_hold_their_own_invariants(start: int) -> None:
    categories = sorted(LIBRARY.lexicons)
    for seed in range(start, start + 20):
        random = Random(seed)
        scenario = Scenario(id="any", name=f"Place {seed}", category=random.choice(categories), text="A place.")
        size = {"tables": random.randint(8, 20), "tools": random.randint(18, 45)}
        composition = Composition(draw(Brief(scenario=scenario, seed=seed, size=size)))
        assert broken_invariants(composition, filled(composition)) == [], seed


def test_clauses_begin_with_a_verb() -> None:
    """What begins in lower case goes into frames, "Could you ...?" among them; anything else is a sentence."""
    others = {"a", "also", "an", "as", "because", "from", "if", "in", "it", "people", "please", "the", "they", "we"}
    for name, part in {**LIBRARY.archetypes, **LIBRARY.links}.items():
        said = {say for flow in (*part.workflows.values(), *part.questions.values()) for say in flow["say"]}
        wrong = [
            say for say in said if say.split()[0].rstrip(",") in {*others, "there", "this", "what", "who", "whoever"}
        ]
        assert wrong == [], name


def test_inflections_are_those_of_the_library() -> None:
    words = {word for noun in shipped_nouns(LIBRARY) for word in noun.split()}
    for word, (many, indefinite) in inflected(words).items():
        assert (plural(word), article(word)) == (many, indefinite)


def test_words_that_do_not_ship_are_inflected_too() -> None:
    assert plural("velociraptor egg") == "velociraptor eggs"
    assert article("umbrella stand") == "an"


def test_a_lexicon_that_does_not_exist_is_named() -> None:
    with pytest.raises(KeyError):
        LIBRARY.lexicons["no such category"]


MISNAMED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a joined entity": ("booking_invoiced", {"joins": {"booking": "bookings.bookng"}}, "joins.booking"),
    "a joined archetype": ("booking_invoiced", {"joins": {"booking": "bokings.booking"}}, "joins.booking"),
    "a needed choice": ("booking_invoiced", {"needs": {"resources": {"rates": ["weekly"]}}}, "needs.resources.rates"),
    "a needed archetype": ("booking_invoiced", {"needs": {"halls": {"rates": ["hourly"]}}}, "needs.halls.rates"),
    "a link": ("booking_invoiced", {"excludes": ["order_invoced"]}, "excludes"),
    "what is needed": ("bookings", {"needs": {"what": "bokable"}}, "needs.what"),
    "an archetype": ("resources", {"excludes": ["rooms"]}, "excludes"),
    "an offered entity": ("resources", {"offers": {"hall": ["bookable"]}}, "offers.hall"),
    "a category": ("resources", {"only_in": ["nowhere"]}, "only_in"),
    "an entity of a category": ("resources", {"fields": {"housing": {"hall": ["hall"]}}}, "fields.housing.hall"),
    "no choice": ("resources", {"variants": {"size": []}}, "variants.size"),
}
"""What is misnamed → part, the section with it, and the place that is told."""


@pytest.mark.parametrize(("name", "section", "place"), MISNAMED.values(), ids=MISNAMED)
def test_what_a_part_names_must_be_there(name: str, section: dict[str, Any], place: str) -> None:
    source = library_with(name, section)
    problems = check_archetypes(source=source, only=[name], seeds=1)
    assert place in problems[0].place
    assert check_together(source=source, turns=1) == [], "it is told once"


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("loyalty", {"workflows": {"earn": ["earn points"]}}),
        ("loyalty", {"workflows": {"earn": {"say": 3}}}),
        ("loyalty", {"questions": {"most": {"targets": ["card"]}}}),
        ("loyalty", {"refusals": {"no": 5}}),
        ("loyalty", {"refer": {"card": [1]}}),
        ("loyalty", {"seed": {"card": {"columns": ["number"]}}}),
        ("loyalty", {"lifecycle": {"nobody.status": ["open"]}}),
        ("loyalty", {"invariants": [{"sql": "SELECT 1"}]}),
        ("loyalty", {"policies": [{"text": 4}]}),
        ("loyalty", {"tools": [{"name": "earn"}]}),
        ("ticket_about_order", {"columns": {"ticket": [1]}}),
    ],
)
def test_a_section_of_another_form_is_told_by_its_name(name: str, section: dict[str, Any]) -> None:
    source = library_with(name, section)
    (problem,) = check_archetypes(source=source, only=[name], seeds=1)
    assert problem.place == next(iter(section))
    assert "form" in problem.message


def test_parts_together_that_cannot_be_read_are_told() -> None:
    source = library_with("people", {"policies": [{"text": 4}]})
    (problem,) = check_together(source=source, turns=1)
    assert "form" in problem.message


def test_a_link_that_fits_nowhere_is_a_problem() -> None:
    """What it joins is there in another variant than it needs alone."""
    joins = {**LIBRARY.links["booking_invoiced"].joins, "what": "resources.closure"}
    needs = {"resources": {"closures": ["status"]}}
    link = LIBRARY.links["booking_invoiced"].model_copy(update={"joins": joins, "needs": needs})
    source = replace(LIBRARY, links={**LIBRARY.links, "booking_invoiced": link})
    problems = check_archetypes(source=source, only=["booking_invoiced"], seeds=1)
    assert [problem.place for problem in problems] == ["joins"]


@pytest.mark.parametrize("text", ["{{ resource.noun", "{% if %}x{% endif %}"])
def test_what_is_no_template_is_told_with_its_text(text: str) -> None:
    section = {"policies": [{"key": "odd", "text": text}]}
    problems = check_archetypes(source=library_with("resources", section), only=["resources"], seeds=1)
    assert "template cannot be read" in problems[0].message


def test_what_is_no_condition_is_told_with_its_text() -> None:
    section = {"policies": [{"key": "odd", "text": "Closed.", "when": "variant.closures = 'status'"}]}
    problems = check_archetypes(source=library_with("resources", section), only=["resources"], seeds=1)
    assert "condition cannot be read" in problems[0].message


def library_with(name: str, sections: dict[str, Any]) -> Library:
    """The library with other sections of an archetype or link."""
    parts = {**LIBRARY.archetypes, **LIBRARY.links}
    part = parts[name].model_dump(by_alias=True, exclude_unset=True) | sections
    if name in LIBRARY.links:
        return replace(LIBRARY, links={**LIBRARY.links, name: Link.model_validate(part)})
    return replace(LIBRARY, archetypes={**LIBRARY.archetypes, name: Archetype.model_validate(part)})


def test_a_problem_of_the_library_is_found() -> None:
    part = LIBRARY.archetypes["resources"]
    broken = part.model_copy(
        update={"invariants": [{"name": "none at all", "sql": "SELECT id FROM {{resource.table}}"}]}
    )
    source = type(LIBRARY)({**LIBRARY.archetypes, "resources": broken}, LIBRARY.links, LIBRARY.lexicons)
    problems = check_archetypes(source=source, only=["resources"], seeds=1)
    assert problems
    assert "none at all" in problems[0].place


def test_an_unknown_name_in_a_template_is_told() -> None:
    part = LIBRARY.archetypes["resources"]
    broken = part.model_copy(update={"glossary": {"odd": "{{nothing.at.all}}"}})
    source = type(LIBRARY)({**LIBRARY.archetypes, "resources": broken}, LIBRARY.links, LIBRARY.lexicons)
    problems = check_archetypes(source=source, only=["resources"], seeds=1)
    assert any("unknown" in problem.message for problem in problems)
    assert issubclass(InputError, Exception)


def test_a_file_is_named_after_its_part(tmp_path: Path) -> None:
    """A copy that was to become another part would take the place of the first."""
    for folder in ("archetypes", "links", "lexicon"):
        (tmp_path / folder).mkdir()
    text = (Path(__file__).parents[2] / "data" / "archetypes" / "keys.yaml").read_text(encoding="utf-8")
    (tmp_path / "archetypes" / "keys.yaml").write_text(text, encoding="utf-8")
    assert [*read_library(tmp_path).archetypes] == ["keys"]
    (tmp_path / "archetypes" / "lockers.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"lockers\.yaml: archetype is keys"):
        read_library(tmp_path)


def test_parts_are_sound_beside_each_other() -> None:
    assert check_together() == []
    shown = [structure.choice.keys() for structure in structures_together(LIBRARY, 4)]
    assert {part for parts in shown for part in parts} == {*PARTS}


def test_an_account_that_two_hold_is_an_account_of_either() -> None:
    """Else "the account of somebody" with a name or a status would mean one of two, where they hold another's too."""
    joint = next(s for s in structures_of(LIBRARY, "accounts") if s.archetypes["accounts"]["holding"] == "joint")
    composition = Composition(design_of(LIBRARY, joint, 0))
    world = filled(composition)
    account, holder = (composition.tables[f"accounts.{entity}"] for entity in ("account", "holder"))
    (opener,) = account.refs
    (shared,) = (column for column, key in holder.refs.items() if key == account.key)
    opened_by_others = f"""
        SELECT a.id, a.name, h.person_id FROM {account.name} a JOIN {holder.name} h ON h.{shared} = a.id
        WHERE h.person_id <> a.{opener} ORDER BY a.id"""
    rows = world.execute(opened_by_others).fetchall()
    (called,) = (way for way in composition.refers[account.name] if 'called "{name}"' in way["phrase"])
    assert rows
    for row, name, person in rows:
        assert (row,) in world.execute(called["sql"], {"customer": person, "name": name}).fetchall()


@pytest.mark.parametrize(
    ("flow", "slot"),
    [
        ("order_needs_approval.place_covered", "order"),
        ("order_needs_approval.not_covered", "order"),
        ("ticket_about_resource.clear_and_open", "what"),
        ("approvals.endorse", "request"),
    ],
)
def test_most_worlds_have_what_is_scarce(flow: str, slot: str) -> None:
    """Rows of which a world has one or two, because several things have to meet in them."""
    part = flow.partition(".")[0]
    found = []
    for seed, structure in enumerate([*structures_of(LIBRARY, part)] * 3):
        design = design_of(LIBRARY, structure, seed)
        composition = Composition(design)
        flows = {item["key"]: item for item in (*composition.workflows, *composition.refusals)}
        if flow in flows:
            manager = Actor(roles=(composition.roles["manager"],), id=0)
            world = World(render(design).image, manager, design.clock)
            found.append(world.rows(flows[flow]["targets"][slot]["sql"]))
    assert sum(map(bool, found)) >= len(found) * 0.75, found


def test_a_key_that_stands_twice_is_told_with_its_line(tmp_path: Path) -> None:
    """Else what the first one says would be lost unseen."""
    for folder in ("archetypes", "links", "lexicon"):
        (tmp_path / folder).mkdir()
    (tmp_path / "archetypes" / "keys.yaml").write_text("archetype: keys\nabout: Keys.\nacts: [a]\nabout: Locks.\n")
    with pytest.raises(InputError, match=r"keys\.yaml:4: about stands there twice"):
        read_library(tmp_path)
