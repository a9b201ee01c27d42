"""The word lists that fill the seed of one world: general ones, its category's, its trade's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .design import Design
from .library import Library

GENERAL = "general"
GROUPED = {"stock": ("items", "item_categories"), "ticket_subjects": ("ticket_subjects", "ticket_topics")}
"""Lists whose entries may read `Bakery: Rye Loaf; Seeded Rolls`: the lists of words and of heads that they become."""


class WordLists(NamedTuple):
    """`lists`: name → words. `heads`: list → word → what it belongs to (`Rye Loaf` → `Bakery`)."""

    lists: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, Mapping[str, str]]


def word_lists(library: Library, design: Design) -> WordLists:
    """The lists of a design's category and trade; the narrower list wins."""
    lists = dict(library.lexicons[GENERAL].words)
    lexicon = library.lexicons.get(design.category)
    if lexicon is not None:
        trade = lexicon.trades.get(design.trade)
        lists |= {**lexicon.words, **(trade.words if trade else {})}
    lists |= design.words
    heads: dict[str, Mapping[str, str]] = {}
    for name, (words, headings) in GROUPED.items():
        entries = [_grouped(entry) for entry in lists.pop(name)]
        heads[words] = {word: head for head, members in entries if head for word in members}
        lists[words] = tuple(word for _, members in entries for word in members)
        lists[headings] = tuple(dict.fromkeys(heads[words].values())) or lists.get(headings, ())
    return WordLists(lists, heads)


def _grouped(entry: str) -> tuple[str, list[str]]:
    """The head and the members; a word alone has no head."""
    head, colon, members = entry.partition(": ")
    return (head.strip(), [member.strip() for member in members.split(";")]) if colon else ("", [entry])
