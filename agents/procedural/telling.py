"""The words in which one grown scenario tells of its archetypes: the trade's, else its category's, else plain ones.

What an archetype itself calls things in a category is not used: it may be odd in this trade.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from .inflection import article, plural
from .library import Lexicon, Library, Trade

_NOUN = re.compile(r"(?:\b([Aa]n?) )?\{([a-z_]+)\}")
_ROLES = {"customer": "customer", "customers": "customer", "staff": "staff", "manager": "manager"}
_MANY = frozenset({"customers", "staff"})
_SPELLED = {"resource": "resources.resource", "thread": "threads.thread", "item": "catalogue.item"}
"""Entities that more than one archetype has a slot for: which is meant where an archetype speaks of another's."""


class TwoMeanings(Exception):
    """Two things of a scenario would go by one noun."""


class Words:
    """The nouns of one scenario, each drawn once, no two alike."""

    def __init__(self, lexicon: Lexicon, trade: Trade, source: Library, random: Random) -> None:
        self._sources: tuple[Lexicon | Trade, ...] = (trade, lexicon)
        self._library = source
        self._keys = _keys(source)
        self._random = random
        self._nouns: dict[str, str] = {}

    def filled(self, text: str, part: str) -> str:
        """`text`, said by the archetype `part`, with its nouns in the number and with the article that stands there.
        Raises TwoMeanings."""
        return _NOUN.sub(lambda match: self._replaced(match, part), text)

    def keys(self, text: str, part: str) -> set[str]:
        """`archetype.slot` of what `text`, said by the archetype `part`, names."""
        named = (match[2] for match in _NOUN.finditer(text) if match[2] not in _ROLES)
        return {self._key(name, part) or self._key(singular(name), part) for name in named}

    def _replaced(self, match: re.Match[str], part: str) -> str:
        name = match[2]
        if name in _ROLES:
            noun = self._noun(_ROLES[name])
            noun = plural(noun) if name in _MANY else noun
        else:
            one = name if self._key(name, part) else singular(name)
            noun = self._noun(self._key(one, part) or one)
            noun = noun if one == name else plural(noun)
        return f"{article(noun)} {noun}" if match[1] else noun

    def _key(self, slot: str, part: str) -> str:
        return f"{part}.{slot}" if slot in self._library.archetypes[part].entities else self._keys.get(slot, "")

    def _noun(self, key: str) -> str:
        if key not in self._nouns:
            left = [noun for noun in self._candidates(key)[:2] if noun not in self._nouns.values()]
            if not left:
                raise TwoMeanings(key)
            self._nouns[key] = self._random.choice(left)
        return self._nouns[key]

    def _candidates(self, key: str) -> Sequence[str]:
        part, _, slot = key.rpartition(".")
        general = self._library.lexicons["general"]
        if not part:
            return next(filter(None, (each.roles.get(key, ()) for each in (*self._sources, general))), (key,))
        for source in self._sources:
            if found := source.nouns.get(key):
                return found
        plain = tuple(noun for noun in self._library.archetypes[part].nouns.get(slot, ()) if "{{" not in noun)
        return general.nouns.get(key, ()) or plain or (slot,)


def singular(name: str) -> str:
    """A slot's name from its regular plural: `entries` → `entry`, `classes` → `class`, `items` → `item`."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-2] if name.endswith(("sses", "xes", "ches", "shes")) else name.removesuffix("s")


@lru_cache(maxsize=4)
def _keys(source: Library) -> dict[str, str]:
    """Entity's slot → `archetype.slot`. A slot of several archetypes is the first one's, unless it is spelled out."""
    keys: dict[str, str] = {}
    for name, part in source.archetypes.items():
        for slot in part.entities:
            keys.setdefault(slot, f"{name}.{slot}")
    return keys | _SPELLED
