"""The word lists that fill the seed of one world: general ones, its category's, its trade's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .design import Design
from .library import Lexicon, Library, Trade
from .matching import telling

GENERAL = "general"
GROUPED = {"stock": ("items", "item_categories"), "ticket_subjects": ("ticket_subjects", "ticket_topics")}
"""Lists whose entries may read `Bakery: Rye Loaf; Seeded Rolls`: the lists of words and of heads that they become."""


_MIXED = frozenset({"booking_notes", "extras", "kinds", "order_notes", "plans", "teams", "thread_titles"})
"""Lists of a category in which each trade has words of its own, which would be odd in another."""


class WordLists(NamedTuple):
    """`lists`: name → words. `heads`: list → word → what it belongs to (`Rye Loaf` → `Bakery`)."""

    lists: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, Mapping[str, str]]


def word_lists(library: Library, design: Design) -> WordLists:
    """The lists of a design's archetypes, category and trade; the narrower list wins, and what a text itself gives."""
    lists = {name: words for part in design.archetypes for name, words in library.archetypes[part].lists.items()}
    lists |= library.lexicons[GENERAL].words
    lexicon = library.lexicons.get(design.category)
    if lexicon is not None:
        trade = lexicon.trades.get(design.trade)
        lists |= lexicon.words
        if trade is not None:
            lists |= {name: _of_trade(lexicon, trade, library, name) for name in _MIXED & lexicon.words.keys()}
            lists |= trade.words
    lists |= design.words
    heads: dict[str, Mapping[str, str]] = {}
    for name, (words, headings) in GROUPED.items():
        entries = [_grouped(entry) for entry in lists.pop(name)]
        heads[words] = {word: head for head, members in entries if head for word in members}
        lists[words] = tuple(word for _, members in entries for word in members)
        lists[headings] = tuple(dict.fromkeys(heads[words].values())) or lists.get(headings, ())
    return WordLists(lists, heads)


def _of_trade(lexicon: Lexicon, trade: Trade, library: Library, name: str) -> tuple[str, ...]:
    """What a category's list says in the trade's own words, and what could be said in any trade."""
    said = [*trade.match, *(word for words in (*trade.roles.values(), *trade.nouns.values()) for word in words)]
    own = tuple(entry for entry in lexicon.words[name] if telling(entry, said))
    return tuple(dict.fromkeys((*own, *library.lexicons[GENERAL].words[name])))


def _grouped(entry: str) -> tuple[str, list[str]]:
    """The head and the members; a word alone has no head."""
    head, colon, members = entry.partition(": ")
    return (head.strip(), [member.strip() for member in members.split(";")]) if colon else ("", [entry])
