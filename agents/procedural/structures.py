"""Structures of worlds: archetypes and links with their variants, drawn by odds until they have the wanted size.

The best-suited archetype always comes, others with odds that grow with how well they suit and what links to them; what
an archetype needs comes with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from .design import BASE
from .library import Library
from .sizes import Choice, Size, choices_of, entities_of, size_of
from .trades import parts_of

_TABLES, _TOOLS = (11, 17), (24, 38)
"""Wanted numbers when nothing is said."""
_MOST_TABLES, _MOST_TOOLS = 120, 300
"""More is asked for in vain: it is about all that there is, and an environment has at most 500 tools."""
_FEWEST, _EACH, _SPREAD = 4, 3.8, (-1, 0, 0, 0, 1)
"""How many archetypes besides people to try for: at least so many, one for so many of the wanted tables, and what is
drawn to be added."""
_LINKS = (2, 2, 3, 3, 4)
"""How many links to try for at least."""
_ORDERS, _TRIES = 2, 12
"""Orders of archetypes, and draws of variants before one archetype more or less is tried."""
_NEARLY = 0.7
"""Share of the best odds with which an archetype may come first."""
_LINKED = 1.5
"""How much the odds of an archetype grow with each link to those already chosen."""


class Wanted(NamedTuple):
    """Bounds of the numbers of tables and tools."""

    tables: tuple[int, int]
    tools: tuple[int, int]

    def distance(self, size: Size) -> tuple[int, int]:
        """How much is missing, and how much is too much once optional tools are gone; (0, 0) is wanted."""
        needed = size.tools - len(size.optional)
        missing = max(0, self.tables[0] - size.tables) + max(0, self.tools[0] - size.tools)
        return missing, max(0, size.tables - self.tables[1]) + max(0, needed - self.tools[1])


class Structure(NamedTuple):
    """Archetypes and links with their variants, and who fills which need."""

    archetypes: dict[str, dict[str, str]]
    links: dict[str, dict[str, str]]
    fills: dict[str, str]

    @property
    def choice(self) -> Choice:
        return {**self.archetypes, **self.links}


def wanted(size: Mapping[str, int], *, more_tools: int = 2) -> Wanted:
    """The bounds that a brief's `size` (`tables`, `tools`: at least) asks for. What it does not name goes with what it
    does. `more_tools`: how many times the room that tables have tools have."""
    tables = min(size.get("tables", 0), _MOST_TABLES)
    tools = min(size.get("tools", 0), _MOST_TOOLS)
    if not tables and not tools:
        return Wanted(_TABLES, _TOOLS)
    return Wanted(
        (tables, tables + _room(tables)) if tables else (tools // 4, tools // 2 + 2) if tools else _TABLES,
        (tools, tools + more_tools * _room(tools)) if tools else (tables, 3 * tables) if tables else _TOOLS,
    )


def drawn_structure(
    source: Library,
    random: Random,
    weights: Mapping[str, float],
    sensible: Mapping[str, tuple[str, ...]],
    goal: Wanted,
) -> Structure:
    """The first of some draws that has the wanted size and links; if none has, one of the wanted size if there is one.

    Archetypes are tried in orders drawn by their odds: as many as was drawn if that gives the size, else fewer, else
    more.
    """
    likely = max(_FEWEST, round(sum(goal.tables) / 2 / _EACH))
    wanted_count, wanted_links = likely + random.choice(_SPREAD), random.choice(_LINKS)
    counts = sorted(range(1, len(weights) + 1), key=lambda count: (count > wanted_count, abs(count - wanted_count)))
    best: tuple[tuple[int, int, int], Structure] | None = None
    for _ in range(_ORDERS):
        order = _order(source, random, weights)
        fewest, most = 0, len(weights) + 1
        for count in counts:
            if not fewest < count < most:
                continue
            tried: list[tuple[int, int]] = []
            for _ in range(_TRIES):
                structure = _with_variants(source, random, order[:count], weights, sensible)
                links = max(0, wanted_links - len(structure.links))
                missing, excess = goal.distance(size_of(source, structure.choice, structure.fills))
                if not (missing or excess or links):
                    return structure
                tried.append((missing, excess))
                if best is None or (missing, excess, links) < best[0]:
                    best = ((missing, excess, links), structure)
            if best is not None and not any(best[0][:2]):
                break
            fewest = max(fewest, count) if all(missing and not excess for missing, excess in tried) else fewest
            most = min(most, count) if all(excess and not missing for missing, excess in tried) else most
    assert best is not None
    return best[1]


def with_needs(
    source: Library, names: Iterable[str], weights: Mapping[str, float]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """People, the named archetypes and what they need, each after what fills its needs; and who fills which need."""
    archetypes: dict[str, dict[str, str]] = {}
    fills: dict[str, str] = {}
    for name in (BASE, *names):
        _add(source, name, archetypes, fills, weights)
    return tuple(archetypes), fills


def drawn_variants(
    source: Library,
    random: Random,
    name: str,
    drawn: Choice,
    sensible: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> dict[str, str]:
    """A choice of each variant, among those that make sense and that the parts before allow."""
    chosen: dict[str, str] = {}
    for variant, choices in choices_of(source, name, drawn).items():
        likely = [choice for choice in choices if choice in sensible.get(f"{name}.{variant}", choices)]
        chosen[variant] = random.choice(likely or choices)
    return chosen


def fits(source: Library, name: str, archetypes: Mapping[str, Mapping[str, str]], fills: Mapping[str, str]) -> bool:
    """Whether what a link joins is there, in forms that it fits."""
    link = source.links[name]
    for part, _, entity in (key.partition(".") for key in link.joins.values()):
        if part not in archetypes or entity not in entities_of(source, part, archetypes, fills):
            return False
    return all(
        archetypes.get(part, {}).get(variant) in choices
        for part, variants in link.needs.items()
        for variant, choices in variants.items()
    )


def _room(least: int) -> int:
    """How many more than asked for are still right."""
    return max(2, min(5, least // 3))


def _order(source: Library, random: Random, weights: Mapping[str, float]) -> list[str]:
    """All archetypes: one of the best-suited first, the rest by draws that favour what links to those before."""
    best = max(weights.values())
    order = [random.choice([name for name in sorted(weights) if weights[name] >= _NEARLY * best])]
    joined = [parts_of(link.joins.values()) - {BASE} for link in source.links.values()]
    while rest := sorted(weights.keys() - set(order)):
        odds = [
            weights[name]
            * (1 + _LINKED * sum(len(parts) > 1 and name in parts <= {name, *order} for parts in joined))
            for name in rest
        ]
        order.append(random.choices(rest, odds)[0])
    return order


def _with_variants(
    source: Library,
    random: Random,
    names: Iterable[str],
    weights: Mapping[str, float],
    sensible: Mapping[str, tuple[str, ...]],
) -> Structure:
    archetypes, fills = with_needs(source, compatible(source, names), weights)
    drawn: dict[str, dict[str, str]] = {}
    for name in archetypes:
        drawn[name] = drawn_variants(source, random, name, drawn, sensible)
    return Structure(drawn, _links(source, random, drawn, fills), fills)


def compatible(source: Library, names: Iterable[str]) -> list[str]:
    """The names without those that an earlier one excludes."""
    kept: list[str] = []
    for name in names:
        excluded = {*source.archetypes[name].excludes}
        if excluded.isdisjoint(kept) and not any(name in source.archetypes[other].excludes for other in kept):
            kept.append(name)
    return kept


def _add(
    source: Library,
    name: str,
    archetypes: dict[str, dict[str, str]],
    fills: dict[str, str],
    weights: Mapping[str, float],
) -> None:
    """Adds an archetype after those that fill its needs."""
    if name in archetypes:
        return
    for slot, tag in source.archetypes[name].needs.items():
        offers = [
            (other, slot_)
            for other, part in source.archetypes.items()
            for slot_, tags in part.offers.items()
            if tag in tags
        ]
        other, entity = max(offers, key=lambda offer: (offer[0] in archetypes, weights.get(offer[0], 0.0), offer))
        _add(source, other, archetypes, fills, weights)
        fills[f"{name}.{slot}"] = f"{other}.{entity}"
    archetypes[name] = {}


def _links(
    source: Library, random: Random, archetypes: dict[str, dict[str, str]], fills: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """The links that fit, most of them."""
    chosen: dict[str, dict[str, str]] = {}
    for name, link in source.links.items():
        if fits(source, name, archetypes, fills) and random.random() < 0.8 and not chosen.keys() & set(link.excludes):
            chosen[name] = drawn_variants(source, random, name, archetypes)
    return chosen
