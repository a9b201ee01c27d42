"""How varied a run's environments are: novelty against the size of the pool, and the categories they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from envolve.memory.novelty import Candidate
from envolve.memory.pool import Stretch, distances_to_earlier, stretches

if TYPE_CHECKING:
    from envolve.memory.store import RunStore

LEAST = 3
"""Environments from which on there is something to say."""
MOST = 300
"""Environments that are held against each other: the first of a run. Each is held against all before it, again for
each report; 300 take about a second."""


@dataclass(frozen=True)
class Diversity:
    """Of the `n` admitted environments that were looked at. `curves`: by view, the distance of each to the nearest
    before it; `categories`: the most frequent first."""

    n: int
    curves: Mapping[str, list[Stretch]]
    categories: list[tuple[str, int]]

    @property
    def bars(self) -> list[tuple[str, int, str]]:
        """As the chart of bars takes them: label, count, kind."""
        return [(name, count, "") for name, count in self.categories]


def diversity(store: RunStore) -> Diversity | None:
    """None for a run with too few environments."""
    records = store.environments.all(fate="admitted")[:MOST]
    if len(records) < LEAST:
        return None
    found = distances_to_earlier((record.id, Candidate(record.vector, record.signature)) for record in records)
    categories = Counter(record.category or "none" for record in records)
    return Diversity(
        n=len(records),
        curves={view: stretches(distances) for view, distances in found.items()},
        categories=sorted(categories.items(), key=lambda item: (-item[1], item[0])),
    )
