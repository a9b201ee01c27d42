"""What a composing model is shown: the library, made from its files, and an example that is right."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.coder import render
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.library import library
from envolve.agents.prompted.composer.catalogue import archetype_lines, link_lines
from envolve.agents.prompted.composer.checking import DesignCheck, build_problems
from envolve.agents.prompted.composer.composer import with_words
from envolve.agents.prompted.composer.drafts import DesignDraft, WordsDraft
from envolve.agents.prompted.composer.meanings import meanings
from envolve.agents.prompted.composer.noun_checks import number_problems
from envolve.agents.prompted.composer.settings import demanded, givers
from envolve.agents.prompted.composer.structuring import design_of, structure_of
from envolve.agents.prompted.composer.word_checks import word_problems
from envolve.agents.prompted.composer.word_lists import lists_of
from envolve.agents.tester import run_gates

SOURCE = library()
TOLD_BY_WORDS = {"resources.naming", "grants.holders"}
"""Choices that differ in names of rows, or in who may call a tool, which their words tell."""
BRIEF = Brief(
    scenario=Scenario(id="clay", name="Clay Yard", category="", text="A supplier of clay takes orders."), seed=2
)


def example(name: str) -> Any:
    """The JSON object that stands in a prompt as an example."""
    text = files("envolve.agents.prompted.composer").joinpath(f"prompts/{name}.md.j2").read_text(encoding="utf-8")
    return json.loads(next(line for line in text.splitlines() if line.startswith('{"')))


@pytest.fixture(scope="module")
def design() -> Design:
    draft = DesignDraft.model_validate(example("design"))
    return design_of(BRIEF, draft, SOURCE, structure_of(BRIEF, draft, SOURCE))


def test_the_example_of_a_design_is_right(design: Design) -> None:
    draft = DesignDraft.model_validate(example("design"))
    assert DesignCheck(BRIEF, SOURCE, tuple(SOURCE.lexicons))(draft) == ([], [])
    assert [finding for finding in run_gates(render(design), seed=1).findings if finding.confirmed] == []


def test_the_example_of_words_is_right(design: Design) -> None:
    draft = WordsDraft.model_validate(example("words"))
    assert list(word_problems(draft, lists_of(design, SOURCE))) == []
    worded = with_words(design, draft)
    assert build_problems(worded, SOURCE) == []
    seeded = render(worded).seed_sql
    assert any(f"'{word}'" in seeded for group in example("words")["grouped"]["stock"] for word in group["words"])


def test_every_part_choice_and_noun_is_shown() -> None:
    shown = [*archetype_lines(SOURCE), *link_lines(SOURCE)]
    text = "\n".join(shown)
    for name, part in {**SOURCE.archetypes, **SOURCE.links}.items():
        assert any(line.startswith(f"{name}: ") for line in shown)
        for variant, choices in part.variants.items():
            assert f"  {variant}:" in shown
            assert all(f"    {choice}" in text for choice in choices)
    assert len(text) < 1_000 * (len(SOURCE.archetypes) + len(SOURCE.links))


def test_a_choice_means_what_it_brings() -> None:
    delivery = meanings(SOURCE, "orders").brought["delivery"]
    assert "shipments" in delivery["shipping"].tables
    assert {"ship_order", "deliver_order"} <= delivery["shipping"].tools
    assert delivery["pickup"].tables == frozenset()
    assert any("until it is collected" in rule for rule in delivery["pickup"].rules)
    assert "items.reserved" in meanings(SOURCE, "orders").brought["stock"]["reserve"].columns
    late = meanings(SOURCE, "bookings").brought["cancellation"]["fee_late"]
    assert any("half the fee" in rule for rule in late.rules)


def test_what_a_link_needs_is_found_in_the_files() -> None:
    assert givers(SOURCE, "billing", "refund") == {"refunds": ("small_by_staff", "managers_only")}
    assert givers(SOURCE, "billing", "invoice") == {}
    assert demanded(SOURCE, "refund_for_ticket")["billing"] == {"refunds": ("small_by_staff", "managers_only")}
    assert demanded(SOURCE, "booking_invoiced") == {"resources": {"rates": ("hourly",)}}


@pytest.mark.parametrize("noun", ["bus", "gas station", "lens", "canvas", "boss", "proof", "night bus"])
def test_singulars_that_end_in_s_are_singulars(noun: str) -> None:
    assert list(number_problems(named(noun))) == []


@pytest.mark.parametrize("noun", ["cakes", "boxes", "parties", "shelves", "children", "red knives", "people"])
def test_plurals_are_told(noun: str) -> None:
    assert list(number_problems(named(noun))) == [
        f"nouns.orders.order: {noun!r} looks like a plural; give the singular."
    ]


def named(noun: str) -> DesignDraft:
    return DesignDraft.model_validate({**example("design"), "nouns": {"orders.order": noun}})


def test_choices_can_be_told_apart() -> None:
    for name, part in {**SOURCE.archetypes, **SOURCE.links}.items():
        for variant in part.variants:
            brought = list(meanings(SOURCE, name).brought[variant].values())
            same = all(facts == brought[0] for facts in brought)
            assert not same or f"{name}.{variant}" in TOLD_BY_WORDS


def test_lists_are_those_that_the_design_draws_from(design: Design) -> None:
    found = {one.name: one for one in lists_of(design, SOURCE)}
    assert {"stock", "order_notes", "charge_subjects", "ticket_subjects"} <= set(found)
    assert not {"plans", "booking_notes", "ticket_topics", "streets"} & set(found)
    assert found["stock"].grouped
    assert found["stock"].places == ("material name", "material range name")
    assert "Celadon" in found["stock"].words
    assert found["stock"].heads["Celadon"] == "Glazes"
    assert "clay bags" in found["charge_subjects"].words
