"""Where a phrase fits into a sentence: heavy ones (with clauses or details of their own) want to stand at its end."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .formats import PLACEHOLDER

HEAVY_WORDS = 6
CLAUSE = re.compile(r"\b(?:that|who|whoever|whose|which|with|where)\b", re.IGNORECASE)
MAY_NOT_FOLLOW = re.compile(r"(?:['’]s?\b|\s+(?:again|back|away|home|been|costs?|out|off)\b)", re.IGNORECASE)
"""What reads badly after a heavy phrase: a genitive, a stray particle, the end of an inverted question."""
DATED = re.compile(r" on (?:[A-Z][a-z]+day )?\d{1,2} [A-Z][a-z]+(?: \d{4})?$")
WHEN = re.compile(r"\s+(?:on|at|from|until)\s+\{")
"""A date right behind a phrase that ends in another one: which is which has to be puzzled out."""
BACKWARD = re.compile(r"\b(?:there|it|its|they|them|their|he|she|him|her|his|that one)\b", re.IGNORECASE)


def heavy(phrase: str) -> bool:
    """Whether a phrase is long, or has a clause of its own."""
    return len(phrase.split()) >= HEAVY_WORDS or bool(CLAUSE.search(phrase))


def fits(text: str, phrases: Mapping[str, str]) -> bool:
    """Whether every phrase can stand where `text` has its placeholder."""
    for match in PLACEHOLDER.finditer(text):
        phrase = phrases.get(match.group(1))
        if phrase is None:
            continue
        if heavy(phrase) and MAY_NOT_FOLLOW.match(text, match.end()):
            return False
        if DATED.search(phrase) and WHEN.match(text, match.end()):
            return False
    return True


def nests(text: str, phrases: Mapping[str, str]) -> bool:
    """Whether every phrase can stand within the phrase `text`: heavy ones only at its end, since what came behind
    would be taken for a part of them."""
    return all(
        match.end() == len(text)
        for match in PLACEHOLDER.finditer(text)
        if (phrase := phrases.get(match.group(1))) is not None and heavy(phrase)
    )


def points_back(reason: str) -> bool:
    """Whether a reason speaks of something said before it."""
    return bool(BACKWARD.search(reason))
