"""Scenarios beyond those that ship: put together from what people do, by archetype, in the words of a trade.

Each is another kind of service, or does other things, than any before. They read plainly, but a service of that kind
would do what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random

from ...environments.canonical import seed_from
from ..base import Scenario
from ..scenarios import scenario_of
from .inflection import article, plural
from .library import Lexicon, Library, Trade, library
from .naming import capitalized

_NOUN = re.compile(r"(?:\b(an?) )?\{([a-z]+)\}")
_DOES = (2, 3)
"""How many archetypes a grown scenario speaks of besides its first."""
_RULES = (1, 2, 2)
_USUAL = 0.9
"""How often a further archetype is one that is usual in the category."""
_TRIES_EACH = 20
_WITHIN = {"resources": ("bookings",), "bookings": ("resources",), "orders": ("catalogue",)}
"""Archetypes that are told of together."""
_SPELLED = {"resource": "resources.resource", "thread": "threads.thread"}
"""Entities that more than one archetype has a slot for: which is meant."""


def grown(count: int, *, seed: int, known: Sequence[Scenario], source: Library | None = None) -> list[Scenario]:
    """Up to `count` scenarios unlike `known` and each other, spread over the categories."""
    source = source or library()
    random = Random(seed_from("growth", seed, len(known)))
    taken = {scenario.text for scenario in known} | {scenario.name for scenario in known}
    found: list[Scenario] = []
    for category, trade in _trades(source, random, count * _TRIES_EACH):
        if len(found) >= count:
            break
        scenario = _scenario(source.lexicons[category], trade, source, random)
        if scenario.text not in taken and scenario.name not in taken:
            taken |= {scenario.text, scenario.name}
            found.append(scenario)
    return found


def _trades(source: Library, random: Random, tries: int) -> Iterator[tuple[str, str]]:
    """Category and trade, each category as often as any other."""
    categories = [name for name in source.lexicons if source.lexicons[name].trades]
    for turn in range(tries):
        if turn % len(categories) == 0:
            random.shuffle(categories)
        category = categories[turn % len(categories)]
        yield category, random.choice(sorted(source.lexicons[category].trades))


def _scenario(lexicon: Lexicon, trade: str, source: Library, random: Random) -> Scenario:
    entry = lexicon.trades[trade]
    chosen = _told_of(lexicon, entry, source, random)
    words = _Words(lexicon, entry, source, random)
    sentences = [random.choice(entry.settings)] if entry.settings else []
    sentences += [words.filled(random.choice(source.archetypes[name].acts)) for name in chosen]
    ruled = [name for name in chosen if source.archetypes[name].rules]
    rules = [
        words.filled(random.choice(source.archetypes[name].rules))
        for name in random.sample(ruled, min(len(ruled), random.choice(_RULES)))
    ]
    sentences += [", and ".join(rules)] if rules else []
    name = f"{random.choice(_places())} {' '.join(map(capitalized, trade.split()))}"
    text = " ".join(f"{capitalized(sentence)}." for sentence in sentences)
    return scenario_of({"name": name, "category": lexicon.category, "text": text})


def _told_of(lexicon: Lexicon, trade: Trade, source: Library, random: Random) -> list[str]:
    """Archetypes that make sense together: one of the trade's own first, then mostly what is usual in its category."""
    senseless = {*lexicon.without, *trade.without}
    sensible = [
        name
        for name, part in sorted(source.archetypes.items())
        if part.acts and name not in senseless and (not part.only_in or lexicon.category in part.only_in)
    ]
    own = sorted({key.partition(".")[0] for key in trade.nouns} & {*sensible})
    first = random.choice(own or ["tickets"])
    chosen = list(dict.fromkeys([first, *_WITHIN.get(first, ())]))
    usual = {key.partition(".")[0] for key in (*trade.nouns, *lexicon.nouns)}
    usual |= {name for name in sensible if lexicon.category in source.archetypes[name].fields}
    for _ in range(random.choice(_DOES)):
        left = [name for name in sensible if name not in chosen]
        likely = [name for name in left if name in usual]
        chosen.append(random.choice(likely if likely and random.random() < _USUAL else left))
    return chosen


class _Words:
    """The nouns of one scenario, drawn once: the trade's, else the category's, else the general ones."""

    def __init__(self, lexicon: Lexicon, trade: Trade, source: Library, random: Random) -> None:
        self._sources: tuple[Lexicon | Trade, ...] = (trade, lexicon, source.lexicons["general"])
        self._library = source
        self._category = lexicon.category
        self._keys = _keys(source)
        self._random = random
        self._nouns: dict[str, str] = {}

    def filled(self, text: str) -> str:
        """`text` with its nouns, in the number and with the article that stands there."""
        return _NOUN.sub(self._replaced, text)

    def _replaced(self, match: re.Match[str]) -> str:
        name = match[2]
        if name == "customers":
            return plural(self._noun("customer"))
        if name == "staff":
            return plural(self._noun("staff"))
        if name in self._keys or name in ("customer", "manager"):
            noun = self._noun(name)
        else:
            noun = plural(self._noun(singular(name)))
        return f"{article(noun)} {noun}" if match[1] else noun

    def _noun(self, name: str) -> str:
        if name not in self._nouns:
            self._nouns[name] = self._random.choice(self._candidates(name)[:2])
        return self._nouns[name]

    def _candidates(self, name: str) -> Sequence[str]:
        key = self._keys.get(name, name)
        for source in self._sources:
            listed: Mapping[str, tuple[str, ...]] = source.nouns if name in self._keys else source.roles
            if found := listed.get(key):
                return found
        part, _, slot = key.partition(".")
        if slot:
            archetype = self._library.archetypes[part]
            plain = [noun for noun in archetype.nouns.get(slot, ()) if "{{" not in noun]
            return archetype.fields.get(self._category, {}).get(slot, ()) or plain or (name,)
        return (name,)


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


@lru_cache(maxsize=1)
def _places() -> list[str]:
    import yaml

    text = files(__package__).joinpath("places.yaml").read_text(encoding="utf-8")
    found: list[str] = yaml.load(text, Loader=yaml.CSafeLoader)["places"]
    return found
