"""A long phrase is said once: where it comes again, people say "that booking" or "the same customer"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from ..inflection import plural

LONG = 5
"""Phrases with fewer words are repeated as they are."""
_Value = TypeVar("_Value")


class Phrase(NamedTuple):
    """A phrase, and what its row is called (`customer`)."""

    text: str
    noun: str


def without_repeats(text: str, phrases: Iterable[Phrase]) -> str:
    """`text` with every long phrase but its first occurrence replaced; whole phrases before those within them. Where
    others that are called so were spoken of meanwhile, it stays: "the same case" would be one of them."""
    for phrase, noun in sorted(set(phrases), key=lambda phrase: (-len(phrase.text), phrase)):
        first = text.lower().find(phrase.lower())
        if len(phrase.split()) < LONG or first < 0:
            continue
        said, *between = text[first + len(phrase) :].split(phrase)
        text = text[: first + len(phrase)] + said
        for following in between:
            text += phrase if _spoken_of(noun, said) else f"the same {noun}"
            said += following
            text += following
    return text


def _spoken_of(noun: str, text: str) -> bool:
    """Whether a text speaks of something that is called so, but for what it calls the same."""
    others = re.sub(rf"\bthe same {re.escape(noun)}\b", "", text, flags=re.IGNORECASE)
    return re.search(rf"\b(?:{re.escape(noun)}|{re.escape(plural(noun))})\b", others, re.IGNORECASE) is not None


def as_said(found: Mapping[str, _Value], text: str, phrases: Iterable[Phrase]) -> dict[str, _Value]:
    """Phrases (keys) as `text` says them: those that it shortened hold the short form of what is within them."""
    said: dict[str, _Value] = {}
    shorter = sorted(set(phrases), key=lambda phrase: (-len(phrase.text), phrase))
    for phrase, value in found.items():
        forms = [phrase]
        for inner, noun in shorter:
            if inner != phrase:
                forms += [form.replace(inner, f"the same {noun}") for form in forms if inner in form]
        said[next((form for form in forms if form.lower() in text.lower()), forms[-1])] = value
    return said
