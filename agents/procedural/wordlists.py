"""The word lists that fill the seed of one world: general ones, its category's, its trade's."""

from __future__ import annotations

from collections.abc import Mapping

from .design import Design
from .library import Library

GENERAL = "general"


def word_lists(library: Library, design: Design) -> Mapping[str, tuple[str, ...]]:
    """List name → words; the narrower list wins."""
    general = library.lexicons[GENERAL].words
    lexicon = library.lexicons.get(design.category)
    if lexicon is None:
        return general
    trade = lexicon.trades.get(design.trade)
    return {**general, **lexicon.words, **(trade.words if trade else {})}
