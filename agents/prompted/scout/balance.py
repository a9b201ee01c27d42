"""Spreading scenarios over categories: what to ask for next, and a cap that no category passes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

_SLACK: Final = 1.25
"""How far above an even spread a category may go: some trades have more to offer than others."""


_SHY: Final = 0.5
"""What an asked-for scenario that did not come counts: a category with little to offer gives way to others."""


class Balance:
    """Counts by category, against `wanted` scenarios more in the end. Categories that are not listed count nowhere."""

    def __init__(self, categories: Sequence[str], known: Iterable[str], wanted: int) -> None:
        self._counts = Counter(dict.fromkeys(categories, 0))
        self._counts.update(name for name in known if name in self._counts)
        self._asked = Counter[str]()
        self._taken = Counter[str]()
        self.cap: Final = max(1, math.ceil(_SLACK * (self._counts.total() + wanted) / len(categories)))

    def full(self, category: str) -> bool:
        return self._counts[category] >= self.cap

    def take(self, category: str) -> None:
        self._counts[category] += 1
        self._taken[category] += 1

    def ask(self, count: int, rng: Random) -> dict[str, int]:
        """At most `count` scenarios by category: always one more of what there is least of, none above the cap;
        `rng` breaks ties."""
        order = list(self._counts)
        rng.shuffle(order)
        weights = {name: self._counts[name] + _SHY * max(0, self._asked[name] - self._taken[name]) for name in order}
        asked = Counter[str]()
        for _ in range(count):
            open_ = [name for name in order if self._counts[name] + asked[name] < self.cap]
            if not open_:
                break
            least = min(open_, key=lambda name: weights[name] + asked[name])
            asked[least] += 1
        self._asked += asked
        return {name: asked[name] for name in order if asked[name]}
