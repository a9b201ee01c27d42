"""The library as a prompt shows it: archetypes with what each choice means, links, categories and their trades.

All of it is made from the library's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ...procedural.library import Library
from ...procedural.sizes import part_of
from ..clipping import clipped, one_line
from .meanings import Facts, meanings
from .settings import demanded, givers, main_entity

_NOUNS = 6
_CHOICE = 320
"""Characters for what one choice brings."""


@lru_cache(maxsize=4)
def archetype_lines(source: Library) -> tuple[str, ...]:
    return tuple(line for name in source.archetypes for line in _archetype(source, name))


@lru_cache(maxsize=4)
def link_lines(source: Library) -> tuple[str, ...]:
    return tuple(line for name in source.links for line in _link(source, name))


def category_lines(source: Library, categories: Iterable[str]) -> list[str]:
    """Each category with the trades that have words of their own."""
    return [f"{name}: {', '.join(source.lexicons[name].trades) or '(no trades)'}" for name in categories]


def _archetype(source: Library, name: str) -> Iterator[str]:
    part = source.archetypes[name]
    usual = meanings(source, name).usual
    needed = len(usual.tools) - len(usual.spare)
    size = f"with the first choices {len(usual.tables)} tables, {needed} to {len(usual.tools)} tools"
    yield f"{name}: {one_line(part.about)} ({size})"
    yield f"  entities: {'; '.join(_entity(source, name, entity) for entity in part.entities)}"
    for slot, tag in part.needs.items():
        yield f"  needs {slot}: {' or '.join(_offering(source, tag))}"
    if part.excludes:
        yield f"  not together with {', '.join(part.excludes)}"
    yield from _variants(source, name)


def _entity(source: Library, name: str, entity: str) -> str:
    nouns = [noun for noun in part_of(source, name).nouns.get(entity, ()) if "{" not in noun]
    called = f" ({', '.join(nouns[:_NOUNS])})" if nouns else ""
    only = [f"{variant}={'|'.join(choices)}" for variant, choices in givers(source, name, entity).items()]
    mark = "*" if entity == main_entity(source, name) else ""
    return f"{entity}{mark}{called}{' only with ' + ' and '.join(only) if only else ''}"


def _offering(source: Library, tag: str) -> list[str]:
    return [
        f"{name}.{entity}"
        for name, part in source.archetypes.items()
        for entity, tags in part.offers.items()
        if tag in tags
    ]


def _variants(source: Library, name: str) -> Iterator[str]:
    part = part_of(source, name)
    for variant, choices in meanings(source, name).brought.items():
        yield f"  {variant}:"
        for choice, facts in choices.items():
            allowed = part.allowed.get(f"{variant}.{choice}")
            only = f" (only if {allowed.replace('variants.', '')})" if allowed else ""
            yield f"    {choice}{only}: {clipped(_brought(facts), _CHOICE)}"


def _brought(facts: Facts) -> str:
    """What a choice brings, the plainest first."""
    new = {said for said in facts.says if said.partition(":")[0] not in facts.tools}
    columns = {column for column in facts.columns if column.partition(".")[0] not in facts.tables}
    told = [
        *(f"table {name}" for name in sorted(facts.tables)),
        *([f"tools {', '.join(sorted(facts.tools))}"] if facts.tools else []),
        *sorted(facts.rules),
        *sorted(new),
        *([f"columns {', '.join(sorted(columns))}"] if columns else []),
        *(f"holds: {name}" for name in sorted(facts.holds)),
    ]
    return "; ".join(one_line(item).rstrip(".") for item in told) or "nothing further"


def _link(source: Library, name: str) -> Iterator[str]:
    link = source.links[name]
    joins = ", ".join(dict.fromkeys(link.joins.values()))
    needs = [
        f"{part}.{variant}={'|'.join(choices)}"
        for part, variants in demanded(source, name).items()
        for variant, choices in variants.items()
    ]
    yield f"{name}: {one_line(link.about)} Joins {joins}." + (f" Needs {', '.join(needs)}." if needs else "")
    if link.entities:
        yield f"  entities: {'; '.join(_entity(source, name, entity) for entity in link.entities)}"
    if link.excludes:
        yield f"  not together with {', '.join(link.excludes)}"
    yield from _variants(source, name)
