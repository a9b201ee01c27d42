"""What novelty compares with: rows in the order of their commits, each counting for some rounds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .postings import Postings, VectorTable
from .records import Part, Signature, Vector
from .store.queries import VectorRow
from .store.queries.vectors import Settled
from .texts import summary

Similarities: TypeAlias = NDArray[np.float64]

_NEVER = 2**31
"""The round in which something that still counts was set aside."""


class Known:
    """Compared in several views at once. `counts` says of a fate whether it makes a thing known. What is known at its
    commit may be set aside later; what never was does not come back."""

    def __init__(self, parts: tuple[Part, ...], counts: Callable[[str], bool]) -> None:
        self.place = 0
        """Of the last row taken in."""
        self.settled = 0
        """The last round whose fates were taken in."""
        self.names = list[str]()
        self.summaries = list[str]()
        self._counts = counts
        self._created = list[int]()
        self._set_aside = list[int]()
        self._rows = dict[str, int]()
        self._vectors = VectorTable()
        self._parts = {part: Postings() for part in parts}

    def add(self, row: VectorRow) -> None:
        """What was never known is left out."""
        self.place = row.place
        counts = self._counts(row.fate)
        if not counts and row.settled_round <= row.created_round:
            return
        self._rows[row.key] = len(self.names)
        self.names.append(row.key)
        self.summaries.append("" if row.split == "held_out" else summary(row.text))
        self._created.append(row.created_round)
        self._set_aside.append(_NEVER if counts else row.settled_round)
        self._vectors.add(row.vector)
        for part, postings in self._parts.items():
            postings.add(row.signature.parts.get(part, {}) if row.signature else {})

    def settle(self, changes: Iterable[Settled]) -> None:
        """Take in fates that were set since."""
        for change in changes:
            self.settled = max(self.settled, change.settled_round)
            row = self._rows.get(change.key)
            if row is not None:
                self._set_aside[row] = _NEVER if self._counts(change.fate) else change.settled_round

    def rows_before(self, before_round: int | None, exempt: Collection[str]) -> NDArray[np.intp]:
        """The rows that counted when round `before_round` began; that count now (None)."""
        set_aside = np.array(self._set_aside, dtype=np.int64)
        keep = set_aside == _NEVER
        if before_round is not None:
            keep = (np.array(self._created, dtype=np.int64) < before_round) & (set_aside >= before_round)
        keep[self.rows_named(exempt)] = False
        return np.flatnonzero(keep)

    def rows_named(self, names: Collection[str]) -> list[int]:
        return sorted(self._rows[name] for name in set(names) if name in self._rows)

    def text(self, vector: Vector | None) -> Similarities:
        return self._vectors.similarities(vector)

    def part(self, part: Part, signature: Signature) -> Similarities:
        return self._parts[part].similarities(signature.parts.get(part, {}))

    def mean(self, signature: Signature, weights: Mapping[Part, float]) -> Similarities:
        """The weighted mean over the parts that both sides have (as `structural_similarity`)."""
        total, alike = np.zeros(len(self.names)), np.zeros(len(self.names))
        for part, weight in weights.items():
            if signature.parts.get(part):
                present = self._parts[part].present() * weight
                total += present
                alike += present * self.part(part, signature)
        return np.divide(alike, total, out=np.zeros_like(alike), where=total > 0)
