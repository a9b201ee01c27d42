"""The word lists that fill the seed of one world: general ones, its category's, its trade's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .design import Design
from .library import Library

GENERAL = "general"
STOCK = "stock"


class WordLists(NamedTuple):
    """`lists`: name → words. `heads`: a word → what it belongs to (`Rye Loaf` → `Bakery`)."""

    lists: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, str]


def word_lists(library: Library, design: Design) -> WordLists:
    """The lists of a design's category and trade; the narrower list wins. Entries of `stock` read
    `Bakery: Rye Loaf; Seeded Rolls` and become the lists `items` and `item_categories`."""
    merged = dict(library.lexicons[GENERAL].words)
    lexicon = library.lexicons.get(design.category)
    if lexicon is not None:
        trade = lexicon.trades.get(design.trade)
        merged |= {**lexicon.words, **(trade.words if trade else {})}
    heads = {item: head for head, items in map(_stock, merged.pop(STOCK)) for item in items}
    return WordLists(
        {**merged, "items": tuple(heads), "item_categories": tuple(dict.fromkeys(heads.values()))}, heads
    )


def _stock(entry: str) -> tuple[str, list[str]]:
    head, _, items = entry.partition(":")
    return head.strip(), [item.strip() for item in items.split(";")]
