"""Other names for what a package calls its tables, columns, tools and parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

import apsw

from envolve.agents.procedural.library import Lexicon, Trade, library
from envolve.environments.package import Environment

_JSON_KEY = re.compile(r"'(?:\$\.)?([a-z][a-z0-9_]*)'")
_JSON = re.compile(r"json_(object|extract|group_object|set|each|array_length)|->")
_OTHERS = """
id value type atom fullkey path rowid before after inserted deleted excluded old new text integer real blob any strict
true false date time datetime count sum min max avg total abs round length lower upper substr instr coalesce ifnull nullif
iif sort submit say
"""
_KEPT = frozenset(word.lower() for word in apsw.keywords).union(_OTHERS.split())
"""Words of SQL and its functions, columns of table functions, and parameters that the runtime adds."""


@dataclass(frozen=True)
class Names:
    """Old name → new. `words`: tables and columns, in one map since both are bare words in SQL."""

    words: Mapping[str, str]
    tools: Mapping[str, str]
    params: Mapping[str, str]


def new_names(environment: Environment, random: Random) -> Names:
    """Every name that can be changed safely, with another."""
    tables = environment.tables()
    columns = {column.name for table in tables.values() for column in table.columns}
    params = {name for tool in environment.tools_file.tools for name in tool.params}
    params |= set(environment.tools_file.shared.params)
    kept = _KEPT | _json_keys(environment)
    invent = _Invention(random, taken={*tables, *columns, *params, *environment.tools, *_identifiers(environment)})
    words = {name: invent(name) for name in sorted({*tables, *columns} - kept)}
    tools = {name: invent(name) for name in sorted(environment.tools)}
    return Names(words, tools, {name: words.get(name) or invent(name) for name in sorted(params - _KEPT)})


class _Invention:
    """New names, part by part: the same part always becomes the same other word."""

    def __init__(self, random: Random, taken: Iterable[str]) -> None:
        self._random = random
        self._taken = set(taken)
        self._parts = dict(_other_words())
        self._pool = [word for word in _nouns() if word not in self._taken]
        random.shuffle(self._pool)

    def __call__(self, name: str) -> str:
        invented = "_".join(self._part(part) for part in name.split("_"))[:56].rstrip("_")
        while invented in self._taken or invented in _KEPT:
            invented = f"{invented}_{self._pool.pop()}"[:62]
        self._taken.add(invented)
        return invented

    def _part(self, part: str) -> str:
        if part not in self._parts:
            singular = part.removesuffix("s")
            other = self._parts.get(singular) if singular != part else None
            self._parts[part] = f"{other}s" if other else self._pool.pop() if part and not part.isdigit() else part
        return self._parts[part]


@lru_cache(maxsize=1)
def _other_words() -> dict[str, str]:
    import yaml

    text = files(__package__).joinpath("naming.yaml").read_text(encoding="utf-8")
    found: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return found


@lru_cache(maxsize=1)
def _nouns() -> tuple[str, ...]:
    """Single plain words that things of some trade are called by."""
    lexicons = library().lexicons.values()
    sources: list[Lexicon | Trade] = [
        *lexicons,
        *(trade for lexicon in lexicons for trade in lexicon.trades.values()),
    ]
    nouns = {
        word
        for source in sources
        for listed in source.nouns.values()
        for noun in listed
        for word in noun.lower().split()
    }
    return tuple(sorted(word for word in nouns if re.fullmatch(r"[a-z]{4,12}", word) and word not in _KEPT))


def _json_keys(environment: Environment) -> set[str]:
    """Names that may be keys within JSON values: they are part of texts, which are not renamed."""
    return {key for text in _all_texts(environment) if _JSON.search(text) for key in _JSON_KEY.findall(text)}


def _all_texts(environment: Environment) -> Iterator[str]:
    yield from _strings(environment.tools_file.model_dump(mode="json", by_alias=True))
    for task in environment.tasks.values():
        yield from _strings(task.model_dump(mode="json", by_alias=True, exclude={"plan"}))


def _identifiers(environment: Environment) -> set[str]:
    """Every bare word of the package's SQL, lest a new name be taken already."""
    return {word.lower() for text in _all_texts(environment) for word in re.findall(r"[A-Za-z_]\w*", text)}


def _strings(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping):
        for key, value in tree.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(tree, list | tuple):
        for item in tree:
            yield from _strings(item)
