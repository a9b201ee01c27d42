"""The library: archetypes, links and word lists, as they are in the files. Read once per process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from ...environments.errors import InputError
from ...environments.models import Frozen
from .data_files import loaded

Tree = dict[str, Any]
"""A part of a file that is rendered before it is read."""


class Entity(Frozen):
    """An entity as it is in the file; texts are templates. `owner`: the column (or condition, `@.` being the row)
    that makes a row an actor's own. `log`: a table that records what happened."""

    columns: Tree
    owner: str | None = None
    unique: tuple[Any, ...] = ()
    checks: tuple[Any, ...] = ()
    log: bool = False
    when: str | None = None


class _Part(Frozen):
    about: str
    words: tuple[str, ...] = ()
    """Words that speak for it when the scenario's text holds them, besides those of `about`."""
    nouns: dict[str, tuple[str, ...]] = {}
    variants: dict[str, tuple[str, ...]] = {}
    allowed: dict[str, str] = {}
    """`variant.choice` → the condition, on parts before it, with which that choice can be taken."""
    defs: Tree = {}
    """Texts that others of the file use as `{{defs.name}}`."""
    entities: dict[str, Entity] = {}
    columns: Tree = {}
    """Columns for entities of others: slot → column → form."""
    lifecycle: Tree = {}
    invariants: list[Tree] = []
    policies: list[Tree] = []
    glossary: Tree = {}
    tools: list[Tree] = []
    extend: list[Tree] = []
    """What is added to the tools of others."""
    seed: Tree = {}
    refer: Tree = {}
    lookups: Tree = {}
    workflows: Tree = {}
    goals: Tree = {}
    """`part.workflow` → a further condition of its goal: what links change beside it."""
    questions: Tree = {}
    refusals: Tree = {}


class Archetype(_Part):
    """`offers`: entity → what others may take it as. `needs`: slot → what must fill it. `excludes`: archetypes that
    tell the same. `acts`, `rules`: what people do with it and what is ruled, told in grown scenarios; entities and
    roles in braces."""

    archetype: str
    offers: dict[str, tuple[str, ...]] = {}
    needs: dict[str, str] = {}
    excludes: tuple[str, ...] = ()
    fields: dict[str, dict[str, tuple[str, ...]]] = {}
    """Category in which it is usual → entity → what it is called there. The words of a category's own file win."""
    only_in: tuple[str, ...] = ()
    """The categories in which alone it makes sense, unless a scenario's text asks for it; none: any."""
    lists: dict[str, tuple[str, ...]] = {}
    """Word lists of its seed; a list of the same name of the scenario's category or trade wins."""
    acts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Link(_Part):
    """`joins`: slot → `archetype.entity`."""

    link: str
    joins: dict[str, str] = Field(min_length=1)
    needs: dict[str, dict[str, tuple[str, ...]]] = {}
    """archetype → variant → choices with which the link fits."""
    overrides: tuple[str | Tree, ...] = ()
    """Workflows of others that the link makes impossible as they are."""
    excludes: tuple[str, ...] = ()
    """Links (earlier in the alphabet) with which it does not go."""


class _Words(Frozen):
    """What is usual in a field. `variants`: `archetype.variant` → the only choices that make sense there; `without`:
    archetypes that make none."""

    variants: dict[str, tuple[str, ...]] = {}
    without: tuple[str, ...] = ()


class Trade(_Words):
    """Words of a narrower field; it is taken when `match` fits a scenario's text better than any other's. `settings`:
    services of this kind that differ in whom they are for, where they are or how they work (`a forest nursery on the
    edge of a village`)."""

    match: tuple[str, ...]
    named: tuple[str, ...] = ()
    """Words of any language, one of which is enough to tell that it is this trade; `zahnarzt*` begins a word."""
    unless: tuple[str, ...] = ()
    """Phrases in which these words mean something else (`river bank`)."""
    roles: dict[str, tuple[str, ...]] = {}
    words: dict[str, tuple[str, ...]] = {}
    nouns: dict[str, tuple[str, ...]] = {}
    settings: tuple[str, ...] = ()


class Lexicon(_Words):
    """Words of one category of scenarios: what roles are called, lists that fill the seed, nouns of entities
    (`archetype.entity` → candidates)."""

    category: str
    roles: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    nouns: dict[str, tuple[str, ...]] = {}
    trades: dict[str, Trade] = {}


@dataclass(frozen=True, eq=False)
class Library:
    archetypes: Mapping[str, Archetype]
    links: Mapping[str, Link]
    lexicons: Mapping[str, Lexicon]


_PLACEHOLDER = re.compile(r"\{\{.*?\}\}")
_File = TypeVar("_File", bound=Frozen)


@lru_cache(maxsize=1)
def library() -> Library:
    """Everything that ships. Raises InputError naming file and field."""
    return read_library(files(__package__))


def read_library(root: Traversable) -> Library:
    """What lies in the folders `archetypes`, `links` and `lexicon`. Raises InputError naming file and field."""
    return Library(
        archetypes=_read(root / "archetypes", Archetype, "archetype"),
        links=_read(root / "links", Link, "link"),
        lexicons=_Lexicons(root / "lexicon"),
    )


class _Lexicons(Mapping[str, Lexicon]):
    """Category → words, read when they are first asked for. A file is named after its category."""

    def __init__(self, folder: Traversable) -> None:
        self._paths = {path.name.removesuffix(".yaml"): path for path in _paths(folder)}
        self._loaded: dict[str, Lexicon] = {}

    def __getitem__(self, category: str) -> Lexicon:
        if category not in self._loaded:
            self._loaded[category] = _parsed(self._paths[category], Lexicon)
        return self._loaded[category]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _paths(folder: Traversable) -> list[Traversable]:
    return sorted((path for path in folder.iterdir() if path.name.endswith(".yaml")), key=lambda path: path.name)


def _read(folder: Traversable, model: type[_File], kind: str) -> dict[str, _File]:
    """Name → part. Files are named after what they hold, so that no two hold the same."""
    found = {path.name.removesuffix(".yaml"): _parsed(path, model) for path in _paths(folder)}
    for name, part in found.items():
        if getattr(part, kind) != name:
            raise InputError(
                f"{name}.yaml: {kind} is {getattr(part, kind)}.", remedy=f"Write {kind}: {name}, or rename the file."
            )
    return found


def _parsed(path: Traversable, model: type[_File]) -> _File:
    try:
        return model.model_validate(loaded(path.read_text(encoding="utf-8"), path.name))
    except ValidationError as error:
        raise InputError(f"{path.name}: {error}", remedy="Correct the library file.") from error


def shipped_nouns(source: Library) -> set[str]:
    """Every noun that a world of this library may use, the fixed words of compound ones among them."""
    parts = [*source.archetypes.values(), *source.links.values()]
    words: list[Lexicon | Trade] = [*source.lexicons.values()]
    words += [trade for lexicon in source.lexicons.values() for trade in lexicon.trades.values()]
    listed = [noun for part in parts for nouns in part.nouns.values() for noun in nouns]
    listed += [noun for entry in words for nouns in (*entry.nouns.values(), *entry.roles.values()) for noun in nouns]
    return {_PLACEHOLDER.sub("", noun).strip() for noun in listed} | {"record", "entry", "item"}
