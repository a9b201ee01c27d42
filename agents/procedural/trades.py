"""In which trades an archetype makes sense, and in which it would be odd."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from .data_files import packaged
from .library import Lexicon, Library, Trade


def odd_in(trade: str) -> frozenset[str]:
    """Archetypes of which a service of this trade would not be told: a pawnbroker's pledges are no charity's. Worlds
    may have those that the trade itself has a word for (`own_of`)."""
    listed = trades_of_archetypes()
    untold = {name for name, trades in listed["untold_in_trades"].items() if trade in trades}
    return frozenset(untold | {name for name, trades in listed["only_in_trades"].items() if trade not in trades})


def own_of(trade: Trade | None) -> set[str]:
    """Archetypes that a trade has words for."""
    return parts_of(trade.nouns if trade else ())


def usual_in(lexicon: Lexicon, source: Library) -> set[str]:
    """Archetypes that a category has words for, and those that say that they are usual there."""
    return parts_of(lexicon.nouns) | {
        name for name, part in source.archetypes.items() if lexicon.category in part.fields
    }


def parts_of(keys: Iterable[str]) -> set[str]:
    """The archetypes of `archetype.entity`s."""
    return {key.partition(".")[0] for key in keys}


@lru_cache(maxsize=1)
def trades_of_archetypes() -> Mapping[str, Mapping[str, list[str]]]:
    """`only_in_trades`: archetype → the only trades in which it makes sense; `untold_in_trades`: → those of whose
    services it is not told."""
    found: dict[str, dict[str, list[str]]] = packaged("trades.yaml")
    return found
