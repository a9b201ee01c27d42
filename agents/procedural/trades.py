"""In which trades an archetype makes sense, and in which it would be odd."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .data_files import packaged
from .library import Trade


def odd_in(trade: str) -> frozenset[str]:
    """Archetypes of which a service of this trade would not be told: a pawnbroker's pledges are no charity's. Worlds
    may have those that the trade itself has a word for (`own_of`)."""
    listed = trades_of_archetypes()
    untold = {name for name, trades in listed["untold_in_trades"].items() if trade in trades}
    return frozenset(untold | {name for name, trades in listed["only_in_trades"].items() if trade not in trades})


def own_of(trade: Trade | None) -> set[str]:
    """Archetypes that a trade has words for."""
    return {key.partition(".")[0] for key in (trade.nouns if trade else ())}


@lru_cache(maxsize=1)
def trades_of_archetypes() -> Mapping[str, Mapping[str, list[str]]]:
    """`only_in_trades`: archetype → the only trades in which it makes sense; `untold_in_trades`: → those of whose
    services it is not told."""
    found: dict[str, dict[str, list[str]]] = packaged("trades.yaml")
    return found
