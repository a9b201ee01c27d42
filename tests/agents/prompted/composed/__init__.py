"""Two scenarios with the replies of a composer, written by hand for the tests as a capable model would write them."""

from __future__ import annotations

from .bakery import BAKERY
from .bikes import BIKES
from .player import DESIGN, WORDS, Composed, Player

__all__ = ["BAKERY", "BIKES", "DESIGN", "WORDS", "Composed", "Player"]
