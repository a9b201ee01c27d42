"""An archetype or link with all that it stands on, in its first choices and in others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...procedural.design import BASE, Design
from ...procedural.library import Library
from ...procedural.sizes import choices_of, entities_of, part_of
from ...procedural.structures import with_needs

Chosen = dict[str, dict[str, str]]
"""Archetype or link → variant → choice."""

_ROLES = {"customer": "customer", "staff": "staff member", "manager": "manager"}


def settings(source: Library, name: str) -> Iterator[Chosen]:
    """A part with what it stands on: all in their first choices, then with one other choice below it."""
    base = _base(source, name)
    yield base
    for part in [part for part in base if part != name]:
        for variant, choices in part_of(source, part).variants.items():
            for choice in choices:
                yield {**base, part: {**base[part], variant: choice}}


def demanded(source: Library, link: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Archetype → variant → the choices that a link needs to have all that it joins."""
    found = {part: dict(variants) for part, variants in source.links[link].needs.items()}
    for key in source.links[link].joins.values():
        part, _, entity = key.partition(".")
        for variant, choices in givers(source, part, entity).items():
            found.setdefault(part, {})[variant] = choices
    return found


def givers(source: Library, name: str, entity: str) -> dict[str, tuple[str, ...]]:
    """Variant → the choices with which a part has an entity. Empty for one that is always there."""
    part = part_of(source, name)
    if part.entities[entity].when is None:
        return {}
    base = _base(source, name)
    found = {}
    for variant, choices in part.variants.items():
        changed = {choice: {**base, name: {**base[name], variant: choice}} for choice in choices}
        having = tuple(choice for choice in choices if entity in entities_of(source, name, changed[choice], {}))
        if 0 < len(having) < len(choices):
            found[variant] = having
    return found


def main_entity(source: Library, name: str) -> str:
    """What an archetype is about; empty for links, and for people, whom roles name."""
    return next(iter(source.archetypes[name].offers)) if name in source.archetypes and name != BASE else ""


def plain_design(source: Library, chosen: Mapping[str, Mapping[str, str]]) -> Design:
    """A design in which every entity is called by its key in the file."""
    archetypes = {name: dict(variants) for name, variants in chosen.items() if name in source.archetypes}
    _, fills = with_needs(source, archetypes, {})
    keys = [f"{name}.{entity}" for name in chosen for entity in part_of(source, name).entities]
    return Design.model_validate(
        {
            "scenario": "",
            "name": "the place",
            "category": "general",
            "seed": 0,
            "clock": "2026-01-05 09:00:00",
            "archetypes": archetypes,
            "links": {name: variants for name, variants in chosen.items() if name in source.links},
            "fills": fills,
            "nouns": {key: key.partition(".")[2] for key in keys},
            "roles": _ROLES,
        }
    )


def _base(source: Library, name: str) -> Chosen:
    link = source.links.get(name)
    wanted = [name] if link is None else sorted({key.partition(".")[0] for key in link.joins.values()})
    base: Chosen = {}
    for part in with_needs(source, wanted, {})[0]:
        base[part] = {variant: choices[0] for variant, choices in choices_of(source, part, base).items()}
    if link is not None:
        for part, variants in demanded(source, name).items():
            base[part] |= {variant: choices[0] for variant, choices in variants.items()}
        base[name] = {variant: choices[0] for variant, choices in link.variants.items()}
    return base
