"""Whether chosen archetypes, variants and links exist and go together, told so that a model can mend them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...procedural.design import BASE
from ...procedural.library import Library
from ...procedural.sizes import part_of, size_of
from ...procedural.structures import Structure, Wanted, fits
from .drafts import Choices, DesignDraft
from .settings import demanded

_SHOWN = 10
_TOO_MUCH = 1.5


def name_problems(draft: DesignDraft, source: Library, categories: Iterable[str]) -> Iterator[str]:
    """What the draft names and the library does not have."""
    yield from _part_problems("archetypes", draft.archetypes, source)
    yield from _part_problems("links", draft.links, source)
    allowed = tuple(categories)
    if draft.category not in allowed:
        yield f"category: there is no {draft.category!r} to choose; there are {', '.join(allowed)}."
    elif draft.trade and draft.trade not in source.lexicons[draft.category].trades:
        trades = ", ".join(source.lexicons[draft.category].trades) or "none"
        yield f"trade: {draft.category} has no {draft.trade!r}; it has {trades}. Leave it empty if none fits."


def _part_problems(field: str, chosen: Mapping[str, Choices], source: Library) -> Iterator[str]:
    known = source.archetypes if field == "archetypes" else source.links
    for name, variants in chosen.items():
        if name not in known:
            yield f"{field}.{name}: the library has none of that name; it has {', '.join(known)}."
            continue
        own = part_of(source, name).variants
        for variant, choice in variants.items():
            if variant not in own:
                yield f"{field}.{name}.{variant}: there is no such variant; {name} has {', '.join(own) or 'none'}."
            elif choice not in own[variant]:
                yield f"{field}.{name}.{variant}: there is no {choice!r}; choose {' or '.join(own[variant])}."


def fit_problems(draft: DesignDraft, structure: Structure, source: Library) -> Iterator[str]:
    """What does not go together, names being known."""
    chosen = {BASE, *draft.archetypes}
    for name in draft.archetypes:
        yield from _needs(name, chosen, source)
        for other in source.archetypes[name].excludes:
            if other in chosen:
                yield f"archetypes.{name}: does not go together with {other}; keep one of the two."
    yield from _conditions(draft, structure, source)
    for link in draft.links:
        yield from _link(link, draft, structure, source)


def _needs(name: str, chosen: set[str], source: Library) -> Iterator[str]:
    for slot, tag in source.archetypes[name].needs.items():
        offering = [
            other for other, part in source.archetypes.items() if any(tag in tags for tags in part.offers.values())
        ]
        if chosen.isdisjoint(offering):
            yield f"archetypes.{name}: needs {' or '.join(offering)} (as its {slot}); add it or leave {name} out."


def _conditions(draft: DesignDraft, structure: Structure, source: Library) -> Iterator[str]:
    for name, variants in {**draft.archetypes, **draft.links}.items():
        for variant, choice in variants.items():
            if structure.choice[name][variant] != choice:
                test = part_of(source, name).allowed.get(f"{variant}.{choice}", "").replace("variants.", "")
                yield f"{name}.{variant}: {choice!r} is possible only if {test}."


def _link(link: str, draft: DesignDraft, structure: Structure, source: Library) -> Iterator[str]:
    parts = dict.fromkeys(key.partition(".")[0] for key in source.links[link].joins.values())
    missing = [part for part in parts if part not in structure.archetypes]
    if missing:
        yield f"links.{link}: joins {', '.join(missing)}, which you did not choose; add it or leave the link out."
        return
    for part, variants in demanded(source, link).items():
        for variant, choices in variants.items():
            if structure.archetypes.get(part, {}).get(variant) not in choices:
                yield f"links.{link}: needs {part}.{variant} to be {' or '.join(choices)}."
    for other in source.links[link].excludes:
        if other in draft.links:
            yield f"links.{link}: does not go together with {other}; keep one of the two."
    if not fits(source, link, structure.archetypes, structure.fills):
        yield f"links.{link}: does not fit the archetypes with these variants."


def far_too_large(structure: Structure, source: Library, wanted: Wanted) -> bool:
    """Whether a structure has half as much again as is wanted at most, whatever is left out."""
    size = size_of(source, structure.choice, structure.fills)
    needed = size.tools - len(size.optional)
    return size.tables > _TOO_MUCH * wanted.tables[1] or needed > _TOO_MUCH * wanted.tools[1]


def size_problems(structure: Structure, source: Library, wanted: Wanted) -> list[str]:
    """How the size differs from the wanted one, and which choices would change it."""
    size = size_of(source, structure.choice, structure.fills)
    missing, excess = wanted.distance(size)
    if not missing and not excess:
        return []
    least = size.tools - len(size.optional)
    told = (
        f"This makes {size.tables} tables and {size.tools} tools (at least {least}, the others can be left out);"
        f" {wanted.tables[0]} to {wanted.tables[1]} tables and {wanted.tools[0]} to {wanted.tools[1]} tools are wanted."
    )
    changes = sorted(_changes(structure, source), reverse=bool(missing))
    wished = [text for more, text in changes if (more > 0) == bool(missing) and more][:_SHOWN]
    what = "Choose more archetypes, or" if missing else "Choose fewer archetypes, or"
    return [f"{told} {what} other variants, such as {'; '.join(wished)}." if wished else f"{told} {what[:-4]}."]


def _changes(structure: Structure, source: Library) -> Iterator[tuple[int, str]]:
    """Tables and tools that another choice would add, and what it is."""
    now = size_of(source, structure.choice, structure.fills)
    for name, variants in structure.choice.items():
        for variant, choices in part_of(source, name).variants.items():
            for choice in choices:
                other = {**structure.choice, name: {**variants, variant: choice}}
                size = size_of(source, other, structure.fills)
                tables, tools = size.tables - now.tables, size.tools - now.tools
                yield tables + tools, f"{name}.{variant}={choice} ({tables:+} tables, {tools:+} tools)"
