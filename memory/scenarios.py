"""Is a scenario new? By its text alone, before anything is built from it."""

from __future__ import annotations

from collections.abc import Iterable

from .embedders.base import Embedder
from .novelty import Neighbour
from .postings import VectorTable
from .records import Vector
from .texts import summary

THRESHOLD = 0.65
"""Cosine from which on two scenarios are the same. Measured with MiniLM on scenarios of a few sentences: the nearest
two of 120 distinct ones 0.54; the same one retold in other words 0.73-0.76, with words swapped 0.94."""


class ScenarioNovelty:
    """Known scenarios by name, in the order in which they were added."""

    def __init__(self, embedder: Embedder, *, threshold: float = THRESHOLD) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._names = list[str]()
        self._texts = list[str]()
        self._table = VectorTable()

    def add(self, scenarios: Iterable[tuple[str, str]]) -> None:
        """Take in `(name, text)` pairs as known, whatever they resemble."""
        pairs = list(scenarios)
        for (name, text), vector in zip(pairs, self._embedder.embed([text for _, text in pairs]), strict=True):
            self._take(name, text, vector)

    def nearest(self, text: str) -> Neighbour | None:
        """The nearest known scenario; None if none is known."""
        return self._nearest(self._embedder.embed([text])[0])

    def repeated(self, text: str) -> Neighbour | None:
        """The known scenario that `text` repeats; None if it is new. Adds nothing."""
        return self._repeated(self._embedder.embed([text])[0])

    def admit(self, name: str, text: str) -> Neighbour | None:
        """Add a scenario if it is new; otherwise the known one that it repeats."""
        vector = self._embedder.embed([text])[0]
        found = self._repeated(vector)
        if found is None:
            self._take(name, text, vector)
        return found

    def _repeated(self, vector: Vector) -> Neighbour | None:
        found = self._nearest(vector)
        return found if found is not None and found.distance <= 1.0 - self._threshold else None

    def _take(self, name: str, text: str, vector: Vector) -> None:
        self._names.append(name)
        self._texts.append(text)
        self._table.add(vector)

    def _nearest(self, vector: Vector) -> Neighbour | None:
        if not self._names:
            return None
        similarities = self._table.similarities(vector)
        row = int(similarities.argmax())
        distance = round(1.0 - float(similarities[row]), 6)
        return Neighbour(id=self._names[row], view="text", distance=distance, summary=summary(self._texts[row]))
