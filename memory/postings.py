"""Weighted Jaccard similarity of one multiset against many, by an inverted index that grows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


class Postings:
    """Rows are numbered from 0 in the order in which they are added. Weights are kept as float32."""

    def __init__(self) -> None:
        self._lists: dict[str, tuple[array[int], array[float]]] = {}
        self._totals: array[float] = array("d")

    def __len__(self) -> int:
        return len(self._totals)

    def add(self, features: Mapping[str, float]) -> None:
        row = len(self._totals)
        for feature, weight in features.items():
            rows, weights = self._lists.setdefault(feature, (array("i"), array("f")))
            rows.append(row)
            weights.append(weight)
        self._totals.append(sum(features.values()))

    def present(self) -> NDArray[np.bool_]:
        """Which rows hold anything at all."""
        return np.array(self._totals) > 0

    def similarities(self, features: Mapping[str, float]) -> NDArray[np.float64]:
        """Jaccard with every row, in 0..1; 0 against an empty row."""
        shared = np.zeros(len(self._totals))
        for feature, weight in features.items():
            if feature in self._lists:
                rows, weights = self._lists[feature]
                # A row occurs once in a list, so no two additions fall on one place.
                shared[np.frombuffer(rows, dtype=np.int32)] += np.minimum(
                    np.frombuffer(weights, dtype=np.float32), weight
                )
        union = np.array(self._totals) + sum(features.values()) - shared
        return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)


class VectorTable:
    """Unit vectors by row, in a matrix that grows by doubling. A row may be missing: it is like nothing."""

    def __init__(self) -> None:
        self._matrix = np.zeros((0, 0), dtype=np.float32)
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def add(self, vector: NDArray[np.float32] | None) -> None:
        width = self._matrix.shape[1] or (0 if vector is None else len(vector))
        if self._rows == len(self._matrix) or width != self._matrix.shape[1]:
            grown = np.zeros((max(64, 2 * self._rows), width), dtype=np.float32)
            grown[: self._rows, : self._matrix.shape[1]] = self._matrix[: self._rows]
            self._matrix = grown
        if vector is not None:
            self._matrix[self._rows] = vector
        self._rows += 1

    def similarities(self, vector: NDArray[np.float32] | None) -> NDArray[np.float64]:
        """Cosine with every row, negative ones as 0."""
        if vector is None or not self._matrix.shape[1]:
            return np.zeros(self._rows)
        return np.clip((self._matrix[: self._rows] @ vector).astype(np.float64), 0.0, 1.0)
