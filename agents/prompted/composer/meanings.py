"""What each choice of a variant brings, found by composing an archetype or link with it and with the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...procedural.contexts import Contexts
from ...procedural.library import Library
from ...procedural.sizes import choices_of, part_of
from ...procedural.tables import tables
from ...procedural.templates import render_tree
from .settings import Chosen, plain_design, settings


class Facts(NamedTuple):
    """What a part has in one composition, entities being called by their keys. `spare`: tools that may be left out;
    `says`: what its tools are about."""

    tables: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    spare: frozenset[str] = frozenset()
    says: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()


class Meanings(NamedTuple):
    """Of one part. `usual`: what it has with the first choices; `brought`: variant → choice → what comes with it and
    not with every other choice."""

    usual: Facts
    brought: Mapping[str, Mapping[str, Facts]]


@lru_cache(maxsize=64)
def meanings(source: Library, name: str) -> Meanings:
    """The meanings of one archetype or link."""
    brought = {
        variant: _differences({choice: _with(source, name, variant, choice) for choice in choices})
        for variant, choices in part_of(source, name).variants.items()
    }
    return Meanings(_facts(source, name, next(iter(settings(source, name)))), brought)


def _differences(by_choice: Mapping[str, Facts]) -> dict[str, Facts]:
    """Choice → its facts without those that all others have too."""
    found = {}
    for choice, facts in by_choice.items():
        others = [other for name, other in by_choice.items() if name != choice]
        shared = [frozenset.intersection(*kinds) for kinds in zip(*others, strict=True)] or Facts()
        found[choice] = Facts(*(mine - common for mine, common in zip(facts, shared, strict=True)))
    return found


def _with(source: Library, name: str, variant: str, choice: str) -> Facts:
    """The facts of a part with one choice, in the first setting that allows it."""
    for setting in settings(source, name):
        if choice in choices_of(source, name, setting)[variant]:
            return _facts(source, name, {**setting, name: {**setting[name], variant: choice}})
    return Facts()


def _facts(source: Library, name: str, chosen: Chosen) -> Facts:
    contexts = Contexts(source, plain_design(source, chosen))
    made = tables(contexts)
    own = {key: table for key, table in made.items() if key.startswith(f"{name}.")}
    added = {contexts.slots(name)[slot] for slot in part_of(source, name).columns}
    tools = _brief(contexts, name, part_of(source, name).tools, "name", "about", "optional")
    return Facts(
        tables=frozenset(table.name for table in own.values()),
        columns=frozenset(
            f"{table.name}.{column}"
            for key, table in made.items()
            if key in own or key in added
            for column in table.columns
        ),
        tools=frozenset(tool["name"] for tool in tools),
        spare=frozenset(tool["name"] for tool in tools if tool.get("optional")),
        says=frozenset(f"{tool['name']}: {tool['about']}" for tool in tools),
        rules=frozenset(rule["text"].strip() for rule in contexts.rendered(name, "policies")),
        holds=frozenset(
            item["name"] for item in _brief(contexts, name, part_of(source, name).invariants, "name", "name")
        ),
    )


def _brief(contexts: Contexts, name: str, items: Iterable[Mapping[str, Any]], *fields: str) -> list[dict[str, Any]]:
    """Items of a part with only these fields, the rest being slow to render."""
    kept = [{key: value for key, value in item.items() if key in (*fields, "when")} for item in items]
    found: list[dict[str, Any]] = render_tree(kept, contexts.of(name))
    return found
