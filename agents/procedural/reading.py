"""What a scenario's text says by itself: the field and trade that it is of, the things and people that it names.

Scenarios that come with a category say enough by it. For any other text the trade is the one whose own words it
holds, in any language that the lexicon has words of; else the trade or category that several of its words speak for.
What the text lends, sells or mends, and who its people are, is taken from the text itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .design import ROLE_KEYS, RoleKey
from .inflection import plural, singular
from .library import Lexicon, Library, Trade
from .matching import category_of, telling, trade_of
from .naming import capitalized
from .objects import ITEM, RESOURCE, VAGUE, Objects, objects_of
from .trades import parts_of
from .words_in_text import folded, occurrences, words

GENERAL = "general"
_EVIDENCE = 2
"""Different words that must speak for a trade or a category before it is taken."""
_THINGS: Mapping[str, tuple[str, ...]] = {
    "resources.size": ("single",),
    "resources.naming": ("numbered",),
    "resources.features": ("none",),
    "resources.closures": ("status",),
}
"""Variants for things that the text alone names, of which nothing more is known."""
_THING_WORDS = {
    "closed_because": ("under repair", "being cleaned", "waiting for an inspection", "waiting for a spare part"),
    "kinds": ("standard", "premium", "small", "large"),
}
_RATHER_THINGS = frozenset({"party", "chair", "pub", "family"})
"""Words for people that mean something else in most texts."""
_MEAN_MORE = frozenset({"ballots", "cases", "collections", "grants", "licences", "loans", "pledges", "samples"})
"""Archetypes that are called by a word for other things: a licence to drive is a credential, staff grant leave, a shop
has sample gowns, and places in a race are drawn by ballot."""
_IDIOMS = re.compile(
    r"\b(?:of course|in (?:short |good |working )?order|out of order|(?:in)?to account|on account of|"
    r"in (?:any |no |that |this )?case)\b",
    re.IGNORECASE,
)
"""Phrases in which a word names nothing."""
_MAKES = ("Classic", "Compact", "Small", "Large", "Everyday", "Deluxe", "Travel", "Vintage", "Light", "Starter")


class Reading(NamedTuple):
    """`nouns`: `archetype.entity` → words of the text for it; `asked`: archetypes that the text asks for; `named`:
    that it names by their own names or their entities; `done`: that verbs speak of which are used of many matters;
    `words`: word lists made from the text. `note`: what should be said of how well the text was understood."""

    category: str
    trade: str = ""
    nouns: Mapping[str, tuple[str, ...]] = {}
    roles: Mapping[RoleKey, tuple[str, ...]] = {}
    asked: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    variants: Mapping[str, tuple[str, ...]] = {}
    words: Mapping[str, tuple[str, ...]] = {}
    note: str = ""


def read(text: str, category: str, source: Library) -> Reading:
    """The reading of a scenario's text. With a category that the library has, that category and a trade of it."""
    if category in source.lexicons:
        lexicon = source.lexicons[category]
        trade = trade_of(text, lexicon)
        return Reading(category, trade, named=frozenset(_named_parts(text, source, lexicon, trade)))
    text = f"{text} {_pictured(text)}"
    field, trade = _field(text, source)
    lexicon = source.lexicons[field]
    objects = objects_of(text)
    known: dict[str, Sequence[str]] = dict(lexicon.trades[trade].nouns) if trade else {}
    spoken = _of_text(objects, known)
    made = _made_of(objects, known)
    nouns = spoken if trade else _mentioned(text, source, spoken)
    return Reading(
        category=field,
        trade=trade,
        nouns=nouns,
        roles={} if trade else _people(text, source),
        asked=objects.asked | parts_of(spoken),
        named=frozenset(_named_parts(text, source, lexicon, trade) | parts_of(nouns)),
        done=objects.done,
        variants=_THINGS if RESOURCE in made else {},
        words=(_THING_WORDS if RESOURCE in made else {}) | _stock(made.get(ITEM, ())),
        note="" if trade else _note(field, nouns),
    )


def _named_parts(text: str, source: Library, lexicon: Lexicon, trade: str) -> set[str]:
    """Archetypes whose own names stand in the text, in either number, and mean nothing else in most texts; and those
    whose entities it names in the words of the trade, or of the category where it has none."""
    found = words(_IDIOMS.sub(" ", text))
    called = {**lexicon.nouns, **(lexicon.trades[trade].nouns if trade else {})}
    return {name for name in source.archetypes.keys() - _MEAN_MORE if occurrences(singular(name), found)[0]} | (
        parts_of(key for key, nouns in called.items() if any(occurrences(noun, found)[0] for noun in nouns))
    )


def _pictured(text: str) -> str:
    """What pictures in the text show, in words: U+1F6B2 is a bicycle."""
    return " ".join(unicodedata.name(char, "").lower() for char in text if unicodedata.category(char) == "So")


def _field(text: str, source: Library) -> tuple[str, str]:
    """Category and trade, the trade empty where none is meant."""
    if named := _named(text, source):
        return named
    category = category_of(text, "", source)
    lexicon = source.lexicons[category]
    if category == GENERAL or len(telling(text, _all_words(lexicon))) <= _EVIDENCE:
        return GENERAL, ""
    trade = trade_of(text, lexicon)
    sure = trade and len(telling(text, lexicon.trades[trade].match)) >= _EVIDENCE
    return category, trade if sure else ""


def _named(text: str, source: Library) -> tuple[str, str] | None:
    """The trade whose own words the text holds most of, long names counting more; of two, the one that its other
    words fit better."""
    scores = {
        key: (held, len(telling(text, trade.match)))
        for key, trade in _trades(source).items()
        if (held := _held(trade, text))
    }
    return max(sorted(scores), key=lambda key: scores[key], default=None)


def _held(trade: Trade, text: str) -> int:
    """How many words of its names the text holds."""
    for phrase in trade.unless:
        text = re.sub(rf"\b{re.escape(phrase)}s?\b", " ", text, flags=re.IGNORECASE)
    found = words(text)
    return sum(len(name.split()) for name in trade.named if _holds(name, found, text))


def _holds(name: str, found: Sequence[str], text: str) -> bool:
    """Whether a name stands in the text: as words in either number, with `*` as the beginning of a word, or, in
    scripts without spaces, anywhere."""
    if not name.isascii() and not folded(name).strip():
        return name in text
    plain = folded(name)
    if plain.endswith("*"):
        return any(word.startswith(plain[:-1]) for word in found)
    return occurrences(plain, found)[0] > 0


@lru_cache(maxsize=4)
def _trades(source: Library) -> Mapping[tuple[str, str], Trade]:
    return {
        (category, name): trade
        for category, lexicon in source.lexicons.items()
        for name, trade in lexicon.trades.items()
    }


def _entries(lexicon: Lexicon) -> tuple[Lexicon | Trade, ...]:
    return (lexicon, *lexicon.trades.values())


def _all_words(lexicon: Lexicon) -> Iterable[str]:
    """What a category is told by."""
    yield lexicon.category
    for listed in (*lexicon.roles.values(), *lexicon.nouns.values()):
        yield from listed
    for trade in lexicon.trades.values():
        yield from trade.match


def _of_text(objects: Objects, known: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Nouns for what the text lends or sells, those that the trade has too first. A trade knows better what it sells,
    since its goods have names."""
    found = dict(objects.nouns)
    if ITEM in known:
        found.pop(ITEM, None)
    return found


def _made_of(objects: Objects, known: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The nouns that nothing but the text has."""
    return {
        key: nouns
        for key, nouns in objects.nouns.items()
        if key not in known or (key == RESOURCE and not set(nouns[:1]) & set(known[key]))
    }


def _mentioned(text: str, source: Library, nouns: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Nouns that any lexicon has for an entity and that the text names, besides those found already."""
    found = words(text)
    more = {
        key: tuple(noun for noun in listed if noun not in VAGUE and occurrences(noun, found)[0])
        for key, listed in _nouns(source).items()
    }
    taken = {noun for listed in nouns.values() for noun in listed}
    return {
        **{key: kept for key, listed in more.items() if (kept := tuple(n for n in listed if n not in taken))},
        **nouns,
    }


@lru_cache(maxsize=4)
def _nouns(source: Library) -> Mapping[str, tuple[str, ...]]:
    """`archetype.entity` → every noun that a lexicon or archetype has for it."""
    found: dict[str, dict[str, None]] = {}
    for lexicon in source.lexicons.values():
        for entry in _entries(lexicon):
            for key, listed in entry.nouns.items():
                found.setdefault(key, {}).update(dict.fromkeys(noun for noun in listed if "{" not in noun))
    return {key: tuple(listed) for key, listed in found.items()}


def _people(text: str, source: Library) -> dict[RoleKey, tuple[str, ...]]:
    """People that the text names, by what any lexicon has them as."""
    found = words(text)
    people: dict[RoleKey, dict[str, int]] = {key: {} for key in ROLE_KEYS}
    for lexicon in source.lexicons.values():
        for entry in _entries(lexicon):
            for key in ROLE_KEYS:
                for noun in entry.roles.get(key, ()):
                    count, first = occurrences(noun, found)
                    if count and noun not in _RATHER_THINGS:
                        people[key][noun] = first
    return {key: tuple(sorted(named, key=lambda noun: named[noun])) for key, named in people.items() if named}


def _stock(items: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Goods of which only the kind is known: each kind in some makes, a single kind new and used."""
    if len(items) == 1:
        heads = [("New", items[0], _MAKES[:4]), ("Used", items[0], _MAKES[4:8]), ("On offer", items[0], _MAKES[8:])]
    else:
        heads = [(capitalized(plural(noun)), noun, _MAKES[at : at + 5]) for at, noun in enumerate(items)]
    groups = tuple(f"{head}: " + "; ".join(f"{make} {_title(noun)}" for make in makes) for head, noun, makes in heads)
    return {"stock": groups} if groups else {}


def _title(noun: str) -> str:
    return " ".join(map(capitalized, noun.split()))


def _note(category: str, nouns: Mapping[str, tuple[str, ...]]) -> str:
    """What to tell of a text whose trade is not known."""
    taken = ", ".join(sorted({noun for listed in nouns.values() for noun in listed}))
    kept = f" Taken from its words: {taken}." if taken else ""
    if category == GENERAL:
        return f"No trade that the library knows fits this scenario, so its environment is a general one.{kept}"
    return f"The library knows the field of this scenario ({category}) but not its trade.{kept}"
