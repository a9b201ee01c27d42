"""One thing against many: weighted Jaccard by an inverted index, cosine by a matrix. Both grow."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

_WAITING = 20_000
"""Entries that wait to be sorted in at most: some fifty environments, a millisecond a look-up."""


class Postings:
    """Rows are numbered from 0 in the order in which they are added. Weights are kept as float32.

    Entries lie sorted by feature in flat arrays; new ones wait at the end until they are many. Features
    are told apart by their 64-bit hash in this process: among a hundred million of them, two that fall on one
    another are less likely than 1 in 1,000.
    """

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.int64)
        self._rows = np.empty(0, dtype=np.int32)
        self._weights = np.empty(0, dtype=np.float32)
        self._new_keys: array[int] = array("q")
        self._new_rows: array[int] = array("i")
        self._new_weights: array[float] = array("f")
        self._totals: array[float] = array("d")

    def __len__(self) -> int:
        return len(self._totals)

    def add(self, features: Mapping[str, float]) -> None:
        row = len(self._totals)
        self._new_keys.extend(map(hash, features))
        self._new_rows.extend([row] * len(features))
        self._new_weights.extend(features.values())
        self._totals.append(sum(features.values()))

    def present(self) -> NDArray[np.bool_]:
        """Which rows hold anything at all."""
        return np.array(self._totals) > 0

    def similarities(self, features: Mapping[str, float]) -> NDArray[np.float64]:
        """Jaccard with every row, in 0..1; 0 against an empty row."""
        if len(self._new_keys) > _WAITING:
            self._merge()
        keys = np.fromiter(map(hash, features), dtype=np.int64, count=len(features))
        weights = np.fromiter(features.values(), dtype=np.float32, count=len(features))
        shared = self._shared_sorted(keys, weights) + self._shared_new(keys, weights)
        union = np.array(self._totals) + sum(features.values()) - shared
        return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)

    def _shared_sorted(self, keys: NDArray[np.int64], weights: NDArray[np.float32]) -> NDArray[np.float64]:
        starts, ends = np.searchsorted(self._keys, keys, "left"), np.searchsorted(self._keys, keys, "right")
        spans = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        if not spans:
            return np.zeros(len(self._totals))
        least = np.concatenate([self._weights[span] for span in spans])
        np.minimum(least, np.repeat(weights, ends - starts), out=least)
        return self._by_row(np.concatenate([self._rows[span] for span in spans]), least)

    def _shared_new(self, keys: NDArray[np.int64], weights: NDArray[np.float32]) -> NDArray[np.float64]:
        new_keys = np.array(self._new_keys, dtype=np.int64)
        if not len(new_keys) or not len(keys):
            return np.zeros(len(self._totals))
        order = np.argsort(keys)
        places = np.minimum(np.searchsorted(keys[order], new_keys), len(keys) - 1)
        hit = np.flatnonzero(keys[order][places] == new_keys)
        least = np.minimum(np.array(self._new_weights, dtype=np.float32)[hit], weights[order][places[hit]])
        return self._by_row(np.array(self._new_rows)[hit], least)

    def _by_row(self, rows: NDArray[np.int32], weights: NDArray[np.float32]) -> NDArray[np.float64]:
        summed = np.bincount(rows, weights=weights, minlength=len(self._totals))
        return summed.astype(np.float64, copy=False)

    def _merge(self) -> None:
        keys = np.concatenate([self._keys, np.array(self._new_keys, dtype=np.int64)])
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._rows = np.concatenate([self._rows, np.array(self._new_rows, dtype=np.int32)])[order]
        self._weights = np.concatenate([self._weights, np.array(self._new_weights, dtype=np.float32)])[order]
        self._new_keys, self._new_rows, self._new_weights = array("q"), array("i"), array("f")


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
        # Not by BLAS: there the last bits of a row's product depend on where it lies, and on the number of threads.
        found = np.einsum("ij,j->i", self._matrix[: self._rows], vector)
        clipped: NDArray[np.float64] = np.clip(found.astype(np.float64), 0.0, 1.0)
        return clipped
