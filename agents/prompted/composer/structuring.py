"""From a draft to a structure and a design. What the draft leaves open is drawn, as the procedural architect does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from ....environments.canonical import seed_from
from ...base import Brief
from ...procedural.design import Design
from ...procedural.drawing import completed
from ...procedural.library import Library
from ...procedural.reading import Reading
from ...procedural.sizes import entities_of, part_of, size_of
from ...procedural.structures import Structure, drawn_variants, wanted, with_needs
from ...procedural.suitability import sensible_variants
from ...procedural.wording import Settled
from .drafts import DesignDraft
from .settings import demanded, main_entity

_DRAWS = 12
"""Draws of variants, of which the one that gives the best size is taken."""


def structure_of(brief: Brief, draft: DesignDraft, source: Library) -> Structure:
    """The structure of a draft whose names are known: of some draws of what it leaves open, the one whose size is the
    nearest to the wanted one. What it chooses against a condition comes out otherwise."""
    random = Random(seed_from("composed", brief.seed, brief.scenario.name, brief.attempt))
    likely = {**sensible_variants(Reading(draft.category, draft.trade), source), **_settled(draft, source)}
    goal = wanted(brief.size)
    drawn = [_drawn(draft, source, random, likely) for _ in range(_DRAWS)]
    return min(drawn, key=lambda one: sum(goal.distance(size_of(source, one.choice, one.fills))))


def _drawn(draft: DesignDraft, source: Library, random: Random, likely: Mapping[str, tuple[str, ...]]) -> Structure:
    names, fills = with_needs(source, draft.archetypes, dict.fromkeys(draft.archetypes, 1.0))
    archetypes: dict[str, dict[str, str]] = {}
    for name in names:
        archetypes[name] = drawn_variants(source, random, name, archetypes, likely)
    links = {name: drawn_variants(source, random, name, archetypes, likely) for name in draft.links}
    return Structure(archetypes, links, fills)


def design_of(brief: Brief, draft: DesignDraft, source: Library, structure: Structure) -> Design:
    """The design of a draft without problems."""
    existing = dict(entities(source, structure))
    settled = Settled(
        category=draft.category,
        trade=draft.trade,
        nouns={key: noun for key, noun in draft.nouns.items() if key in existing},
        roles=draft.roles.model_dump(),
    )
    return completed(brief, source, structure, wanted(brief.size), settled)


def entities(source: Library, structure: Structure) -> Iterator[tuple[str, bool]]:
    """`archetype.entity` of every entity that a structure has, and whether it is what its archetype is about."""
    for name in structure.choice:
        existing = entities_of(source, name, structure.choice, structure.fills)
        main = main_entity(source, name)
        for entity in part_of(source, name).entities:
            if entity in existing:
                yield f"{name}.{entity}", entity == main


def _settled(draft: DesignDraft, source: Library) -> dict[str, tuple[str, ...]]:
    """`part.variant` → what the links need where the draft leaves it open, else what the draft chose."""
    needed = {
        f"{part}.{variant}": choices
        for link in draft.links
        for part, variants in demanded(source, link).items()
        for variant, choices in variants.items()
    }
    chosen = {
        f"{part}.{variant}": (choice,)
        for part, variants in {**draft.archetypes, **draft.links}.items()
        for variant, choice in variants.items()
    }
    return {**needed, **chosen}
