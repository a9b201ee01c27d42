"""How many tables and tools a choice of archetypes, links and variants makes, counted without rendering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .contexts import Has
from .library import Archetype, Library, Link
from .templates import condition

Choice = Mapping[str, Mapping[str, str]]
"""Archetype or link → variant → choice."""


class Size(NamedTuple):
    """`optional`: the tools among them that may be left out, as `part/tool`."""

    tables: int
    tools: int
    optional: tuple[str, ...] = ()


def part_of(source: Library, name: str) -> Archetype | Link:
    return source.archetypes.get(name) or source.links[name]


def size_of(source: Library, choice: Choice, fills: Mapping[str, str]) -> Size:
    """The exact size of a choice."""
    sizes = [_part_size(source, name, choice, fills) for name in choice]
    optional = tuple(tool for size in sizes for tool in size.optional)
    return Size(sum(size.tables for size in sizes), sum(size.tools for size in sizes), optional)


def choices_of(source: Library, name: str, drawn: Choice) -> dict[str, tuple[str, ...]]:
    """Variant → the choices that the variants of the parts before it allow."""
    part = part_of(source, name)
    barred = {key for key, test in part.allowed.items() if not condition(test, {"variants": drawn})}
    return {
        variant: tuple(choice for choice in choices if f"{variant}.{choice}" not in barred)
        for variant, choices in part.variants.items()
    }


def conditions(name: str, choice: Choice, fills: Mapping[str, str]) -> dict[str, Any]:
    """What `when` expressions of a part may use."""
    own = {slot.partition(".")[2]: key for slot, key in fills.items() if slot.startswith(f"{name}.")}
    return {"variants": choice, "variant": choice[name], "has": Has({part: True for part in choice}), "fills": own}


def entities_of(source: Library, name: str, choice: Choice, fills: Mapping[str, str]) -> set[str]:
    """The entities that a part has in a choice."""
    context = conditions(name, choice, fills)
    items = part_of(source, name).entities.items()
    return {slot for slot, entity in items if entity.when is None or condition(entity.when, context)}


def _part_size(source: Library, name: str, choice: Choice, fills: Mapping[str, str]) -> Size:
    context = conditions(name, choice, fills)
    tools = [tool for tool in part_of(source, name).tools if "when" not in tool or condition(tool["when"], context)]
    optional = [f"{name}/{tool['name']}" for tool in tools if tool.get("optional")]
    return Size(len(entities_of(source, name, choice, fills)), len(tools), tuple(optional))
