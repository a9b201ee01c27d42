"""A long phrase is said once: where it comes again, people say "that booking" or "the same customer"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

LONG = 5
"""Phrases with fewer words are repeated as they are."""
_Value = TypeVar("_Value")


class Phrase(NamedTuple):
    """A phrase, and what its row is called (`customer`)."""

    text: str
    noun: str


def without_repeats(text: str, phrases: Iterable[Phrase]) -> str:
    """`text` with every long phrase but its first occurrence replaced; whole phrases before those within them."""
    for phrase, noun in sorted(set(phrases), key=lambda phrase: (-len(phrase.text), phrase)):
        first = text.lower().find(phrase.lower())
        if len(phrase.split()) < LONG or first < 0:
            continue
        kept = first + len(phrase)
        text = text[:kept] + text[kept:].replace(phrase, f"the same {noun}")
    return text


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
