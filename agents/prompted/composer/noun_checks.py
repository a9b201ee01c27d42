"""Whether nouns can name the tables, tools and roles of one world, told so that a model can mend them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...procedural.design import ROLE_KEYS
from ...procedural.inflection import plural, singular
from ...procedural.library import Library
from ...procedural.naming import called
from ...procedural.structures import Structure
from .drafts import DesignDraft
from .structuring import entities

_FORM = re.compile(r"[a-z]+(?:[ -][a-z]+){0,2}")
_LONGEST = 32
_TOOLS = frozenset({"submit", "say"})
"""Tools that every world has."""


def noun_problems(draft: DesignDraft, structure: Structure, source: Library) -> Iterator[str]:
    """What keeps the nouns from being used."""
    existing = dict(entities(source, structure))
    known = {
        f"{name}.{entity}" for name, part in {**source.archetypes, **source.links}.items() for entity in part.entities
    }
    for key in draft.nouns:
        if key not in known:
            yield f"nouns.{key}: there is no such entity; this design has {', '.join(existing)}."
    for key, main in existing.items():
        if main and key not in draft.nouns:
            yield f"nouns.{key}: is missing; say what it is called here."
    named = _named(draft, existing)
    for place, noun in named.items():
        yield from _form(place, noun)
    yield from _twice(named)


def number_problems(draft: DesignDraft) -> Iterator[str]:
    """Nouns that look like plurals."""
    named = {**{f"roles.{key}": noun for key, noun in _roles(draft).items()}, **_placed(draft.nouns)}
    for place, noun in named.items():
        last = noun.split(" ")[-1]
        if singular(last) != last and plural(last) == f"{last}s":
            yield f"{place}: {noun!r} looks like a plural; give the singular."


def _named(draft: DesignDraft, existing: dict[str, bool]) -> dict[str, str]:
    """Place → noun, of roles and of entities that exist."""
    roles = {f"roles.{key}": noun for key, noun in _roles(draft).items()}
    return {**roles, **_placed({key: noun for key, noun in draft.nouns.items() if key in existing})}


def _placed(nouns: dict[str, str]) -> dict[str, str]:
    return {f"nouns.{key}": noun for key, noun in nouns.items()}


def _roles(draft: DesignDraft) -> dict[str, str]:
    return {key: getattr(draft.roles, key) for key in ROLE_KEYS}


def _form(place: str, noun: str) -> Iterator[str]:
    if not _FORM.fullmatch(noun) or len(noun) > _LONGEST:
        yield f"{place}: {noun!r} must be one to three words in small letters a to z, {_LONGEST} characters at most."
        return
    one = called("", noun)
    if one.table == one.one:
        yield f"{place}: {noun!r} has no plural of its own; choose a noun that can be counted."
    if _TOOLS & {one.table, one.one}:
        yield f"{place}: {noun!r} is what a tool of the runtime is called; choose another noun."


def _twice(named: dict[str, str]) -> Iterator[str]:
    """Nouns of which one name would stand for two things."""
    taken: dict[str, str] = {}
    for place, noun in named.items():
        one = called("", noun)
        other = next((taken[name] for name in (one.table, one.one) if name in taken), None)
        if other is not None:
            yield f"{place}: {noun!r} is used for {other} already; every entity and role needs a noun of its own."
        taken |= dict.fromkeys((one.table, one.one), place)
