"""Which archetypes, words and rules suit a scenario's text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import median
from typing import Any, Protocol

from .library import Lexicon, Library
from .words_in_text import Overlap, stem, stems

_LEAST = 0.5
"""Score below which a text says nothing about its category."""


_COMMON_WORDS = """
rent rents repair repairs repaired hire hires sell sells shop store service services company club business member
members customer customers client clients staff manager manage booking bookings delivery deliver order orders time
small local office room rooms home report request visit call hours offers park school test card cards owner owners
track class market work worker group ladder tickets ticket item items part parts agent delivery cold round box
"""
_ANY_TRADE = frozenset(map(stem, _COMMON_WORDS.split()))
"""Words that say nothing of which trade it is."""


_MEANING = 2.0
"""How much likeness of meaning counts, beyond that to most archetypes, beside shared words. Of 24 texts that avoid the
archetypes' own words, the right one came first for 14 by words alone, for 19 with this."""


class Embed(Protocol):
    """Texts to vectors; equal texts get equal vectors."""

    def __call__(self, texts: Sequence[str]) -> Any:
        """One vector (a sequence of floats) a text."""
        ...

    def __hash__(self) -> int:
        """Vectors of the library's texts are kept by it."""
        ...


def archetype_scores(text: str, source: Library, embed: Embed | None = None) -> dict[str, float]:
    """Archetype → how well it suits, 0 upwards. Shared words always count; with `embed`, likeness of meaning too."""
    scores = _archetype_words(source).scores(text)
    if embed is None or not text.strip():
        return scores
    (given,) = embed([text])
    # Rounded: another processor's arithmetic differs in the last bits, and designs are to be the same everywhere.
    alike = {name: round(cosine(given, vector), 3) for name, vector in _described(source, embed).items()}
    usual = median(alike.values())
    return {name: score + _MEANING * max(0.0, alike[name] - usual) for name, score in scores.items()}


def category_of(text: str, category: str, source: Library) -> str:
    """The scenario's category if there are words for it; else the one whose words suit best; else `general`."""
    if category in source.lexicons:
        return category
    scores = _lexicon_words(source).scores(text)
    best = _best(scores)
    return best if scores.get(best, 0.0) >= _LEAST else "general"


def trade_of(text: str, lexicon: Lexicon) -> str:
    """The trade of a category that suits the text best; empty if none does."""
    return _best(Overlap({name: trade.match for name, trade in lexicon.trades.items()}).scores(text))


def telling(text: str, described: Iterable[str]) -> set[str]:
    """Stems of the text that a description has too, but for those that any service might have."""
    return {piece for one in described for piece in stems(one)} & set(stems(text)) - _ANY_TRADE


def _best(scores: Mapping[str, float]) -> str:
    """The name with the highest score; empty if none is above 0."""
    best = max(sorted(scores), key=lambda name: scores[name], default="")
    return best if scores.get(best) else ""


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    product = sum(float(a) * float(b) for a, b in zip(left, right, strict=True))
    return product / (math.hypot(*map(float, left)) * math.hypot(*map(float, right)) or 1.0)


@lru_cache(maxsize=4)
def _described(source: Library, embed: Embed) -> dict[str, Sequence[float]]:
    """Archetype → vector of what it is about."""
    vectors = embed([part.about for part in source.archetypes.values()])
    return dict(zip(source.archetypes, vectors, strict=True))


@lru_cache(maxsize=4)
def _archetype_words(source: Library) -> Overlap:
    return Overlap({name: (part.about, *part.words) for name, part in source.archetypes.items()})


@lru_cache(maxsize=4)
def _lexicon_words(source: Library) -> Overlap:
    return Overlap({name: _said(lexicon) for name, lexicon in source.lexicons.items() if name != "general"})


def _said(lexicon: Lexicon) -> tuple[str, ...]:
    words: Mapping[str, Sequence[str]] = {**lexicon.roles, **lexicon.words}
    trades = [word for trade in lexicon.trades.values() for word in trade.match]
    return (lexicon.category, *(word for listed in words.values() for word in listed), *trades)
