"""Words of a text, reduced to stems, so that a scenario can be matched with words of the library.

A cheap stand-in for embeddings: no model, no dictionary.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_ENDINGS = (
    "ations",
    "ation",
    "ings",
    "ing",
    "ments",
    "ment",
    "ies",
    "ions",
    "ion",
    "ers",
    "er",
    "ed",
    "es",
    "s",
    "e",
    "y",
)
_STOP_WORDS = """
a an and are as at be before but by can each every for from has have in into is it its may more no not of on
one only or other over own people than that the their them then they this to under until up when which while
who with within without what where after all also any there these those two three between
"""
_STOP = frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending: `bookings`, `booked` and `booking` are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def folded(text: str) -> str:
    """Lower case, without accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def words(text: str) -> list[str]:
    """Plain words of a text, hyphenated ones also in parts."""
    found: list[str] = []
    for word in _WORD.findall(folded(text)):
        found += [word, *word.split("-")] if "-" in word else [word]
    return found


def stems(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in _STOP]


def occurrences(noun: str, text_words: Sequence[str]) -> tuple[int, int]:
    """How often a noun (of one or more words, singular) stands in a text, in the singular or plural, and where first."""
    *before, last = words(noun) or [""]
    forms = {last, f"{last}s", f"{last}es", f"{last[:-1]}ies" if last.endswith("y") else last}
    places = [
        start
        for start, word in enumerate(text_words[len(before) :])
        if word in forms and list(text_words[start : start + len(before)]) == before
    ]
    return len(places), places[0] if places else len(text_words)


class Overlap:
    """How much of a text speaks for each of several descriptions: shared stems, rare ones counting more. 0 to 1."""

    def __init__(self, descriptions: Mapping[str, Iterable[str]]) -> None:
        self._stems = {
            name: {piece for text in texts for piece in stems(text)} for name, texts in descriptions.items()
        }
        counts: dict[str, int] = {}
        for own in self._stems.values():
            for piece in own:
                counts[piece] = counts.get(piece, 0) + 1
        total = len(self._stems)
        self._weights = {piece: math.log(1 + total / count) for piece, count in counts.items()}

    def scores(self, text: str) -> dict[str, float]:
        """Name → score."""
        given = set(stems(text))
        norm = math.sqrt(len(given) + 1) * math.log(1 + len(self._stems))
        return {
            name: sum(self._weights[piece] for piece in sorted(own & given)) / norm
            for name, own in self._stems.items()
        }
