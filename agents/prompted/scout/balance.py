"""Spreading scenarios over categories: what to ask for next, and a cap that no category passes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

_SLACK: Final = 1.25
"""How far above an even spread a category may go: some trades have more to offer than others."""


class Balance:
    """Counts by category, against `total` scenarios in the end. Categories that are not listed count nowhere."""

    def __init__(self, categories: Sequence[str], known: Iterable[str], wanted: int) -> None:
        self._counts = Counter(dict.fromkeys(categories, 0))
        self._counts.update(name for name in known if name in self._counts)
        self.cap: Final = max(1, math.ceil(_SLACK * (self._counts.total() + wanted) / len(categories)))

    def full(self, category: str) -> bool:
        return self._counts[category] >= self.cap

    def take(self, category: str) -> None:
        self._counts[category] += 1

    def wanted(self, count: int, rng: Random) -> dict[str, int]:
        """`count` scenarios by category: always one more of what there is least of; `rng` breaks ties."""
        order = list(self._counts)
        rng.shuffle(order)
        planned, asked = self._counts.copy(), Counter[str]()
        for _ in range(count):
            least = min(order, key=lambda name: planned[name])
            planned[least] += 1
            asked[least] += 1
        return {name: asked[name] for name in order if asked[name]}
