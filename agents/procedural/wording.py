"""A structure's words: what its entities and roles are called, and the moment and country in which it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from ..base import Brief
from .contexts import PERSON
from .countries import drawn_country
from .design import ROLE_KEYS, Design, RoleKey
from .library import Library
from .naming import Called, called
from .reading import Reading, read
from .sizes import entities_of, part_of
from .structures import Structure
from .vocabulary import Vocabulary

_POINTS = re.compile(r"\{\{(\w+)\.fk\}\}")
"""Names of columns that point to an entity."""


class Settled(NamedTuple):
    """What is settled before a design is worded. `nouns`: `archetype.entity` → noun; all roles have theirs."""

    category: str
    trade: str
    nouns: Mapping[str, str]
    roles: Mapping[str, str]


def worded(
    brief: Brief, source: Library, structure: Structure, seed: int, text: str, settled: Settled | None = None
) -> Design:
    """The design of a structure: its words, and the moment at which it stands."""
    random = Random(seed)
    if settled is None:
        said = read(text, brief.scenario.category, source)
        vocabulary = Vocabulary(text, source, said, random)
    else:
        said = Reading(settled.category, settled.trade)
        vocabulary = Vocabulary(
            text, source, said, random, {**settled.nouns, **{str(key): noun for key, noun in settled.roles.items()}}
        )
    fixed = _fixed_columns(source, structure)
    roles = vocabulary.roles(fixed.get("customer", frozenset()))
    return Design(
        scenario=brief.scenario.text,
        name=brief.scenario.name,
        category=said.category,
        trade=said.trade,
        seed=seed,
        clock=_clock(random),
        country=drawn_country(seed),
        archetypes=structure.archetypes,
        links=structure.links,
        fills=structure.fills,
        nouns=_nouns(source, structure, vocabulary, roles, fixed),
        roles=roles,
        words=dict(said.words),
        note=said.note,
    )


def _nouns(
    source: Library,
    structure: Structure,
    vocabulary: Vocabulary,
    roles: Mapping[RoleKey, str],
    fixed: Mapping[str, Set[str]],
) -> dict[str, str]:
    """A noun for every entity, in order, so that later ones can be made from earlier ones."""
    names: dict[str, Called] = {}
    for part in structure.choice:
        context = {key: called(PERSON, roles[key]) for key in ROLE_KEYS} | _joined(source, structure, part, names)
        existing = entities_of(source, part, structure.choice, structure.fills)
        for slot, candidates in part_of(source, part).nouns.items():
            if slot in existing:
                key = f"{part}.{slot}"
                usual = _usual_nouns(source, part, slot, vocabulary.category)
                barred = fixed.get(key, frozenset())
                noun = vocabulary.nouns(key, candidates, context, usual=usual, fixed=barred)
                context[slot] = names[key] = called(key, noun)
    return {key: name.noun for key, name in names.items()}


def _fixed_columns(source: Library, structure: Structure) -> Mapping[str, Set[str]]:
    """Role or `archetype.entity` → columns of fixed names in tables that also point to it, so that it is not to be
    called like one."""
    found: dict[str, set[str]] = {}
    for part in structure.choice:
        slots = _slots(source, structure, part)
        for entity in part_of(source, part).entities.values():
            plain = {name for name in entity.columns if "{" not in name}
            for slot in _POINTS.findall(" ".join(entity.columns)):
                found.setdefault(slots.get(slot, slot), set()).update(plain)
    return found


def _slots(source: Library, structure: Structure, part: str) -> dict[str, str]:
    """Slot of a part → `archetype.entity`: its own, and those that stand for entities of others."""
    own = {slot: f"{part}.{slot}" for slot in part_of(source, part).entities}
    if part in source.links:
        return {**own, **source.links[part].joins}
    return {**own, **{slot: structure.fills[f"{part}.{slot}"] for slot in source.archetypes[part].needs}}


def _usual_nouns(source: Library, part: str, slot: str, category: str) -> tuple[str, ...]:
    """What an entity of an archetype is called in a category."""
    archetype = source.archetypes.get(part)
    return archetype.fields.get(category, {}).get(slot, ()) if archetype else ()


def _joined(source: Library, structure: Structure, part: str, names: Mapping[str, Called]) -> dict[str, Called]:
    """Slots of a part that stand for entities of others."""
    if part in source.links:
        return {slot: names[key] for slot, key in source.links[part].joins.items()}
    filled = {slot: names[structure.fills[f"{part}.{slot}"]] for slot in source.archetypes[part].needs}
    return {"person": names[PERSON], **filled} if PERSON in names else filled


def _clock(random: Random) -> str:
    """A working day's morning, well inside a year."""
    day = datetime(random.choice((2025, 2026)), random.randint(2, 10), random.randint(1, 28))
    while day.weekday() > 4:
        day += timedelta(days=1)
    moment = day + timedelta(hours=9, minutes=random.randrange(0, 150, 5))
    return f"{moment:%Y-%m-%d %H:%M:%S}"
