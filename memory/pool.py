"""Environments held against each other without a store: how alike two are, and how far each is from those before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .known import Known
from .novelty import Candidate, NoveltyVerdict, Thresholds, View, environment_verdict
from .signatures.base import jaccard
from .signatures.compose import ENVIRONMENT_WEIGHTS, structural_similarity
from .store.queries import VectorRow

SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
"""Sizes of a pool at which its curve of novelty has a point."""
LOW = 5
"""The percentile that is told beside the mean."""


class Alike(NamedTuple):
    """Similarities of two environments in 0..1: by text, by structure, and by each part of the structure that both
    have."""

    text: float
    structure: float
    parts: dict[str, float]


def alike(left: Candidate, right: Candidate) -> Alike:
    """As novelty compares them. Text is 0 where a vector is missing."""
    text = 0.0
    if left.vector is not None and right.vector is not None:
        text = float(np.clip(np.einsum("i,i->", left.vector, right.vector), 0.0, 1.0))
    parts: dict[str, float] = {
        part: jaccard(left.signature.parts[part], right.signature.parts[part])
        for part in ENVIRONMENT_WEIGHTS
        if part in left.signature.parts and part in right.signature.parts
    }
    return Alike(text, structural_similarity(left.signature, right.signature), parts)


class Pool:
    """Environments in the order in which they were added; all of them count."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._limits = thresholds or Thresholds()
        self._known = Known(tuple(ENVIRONMENT_WEIGHTS), lambda fate: True)

    def __len__(self) -> int:
        return len(self._known.names)

    def add(self, name: str, candidate: Candidate) -> None:
        self._known.add(
            VectorRow(
                key=name,
                place=len(self) + 1,
                fate="admitted",
                split="train",
                environment=name,
                created_round=0,
                settled_round=0,
                text="",
                vector=candidate.vector,
                signature=candidate.signature,
            )
        )

    def check(self, candidate: Candidate) -> NoveltyVerdict:
        """What novelty says of a candidate where all of the pool is known; `distances` are those to the nearest in
        each view."""
        return environment_verdict(self._known, candidate, self._limits, n=1)

    def reach(self, view: View) -> float:
        """The distance up to which one environment repeats another in a view."""
        limits = self._limits
        return 1.0 - (limits.environment_text if view == "text" else limits.environment_structure)


class Stretch(NamedTuple):
    """Of the environments that met a pool of more than the stretch before and up to `size`: how far each was from the
    nearest in its pool, by the mean and the 5% percentile."""

    size: int
    n: int
    mean: float
    low: float


def stretches(distances: Sequence[float]) -> list[Stretch]:
    """`distances[i]`: of environment i + 1 to the nearest of the i before it; that of the first is left out."""
    found, start = list[Stretch](), 1
    for size in SIZES:
        part = distances[start : min(size, len(distances))]
        if len(part):
            found.append(Stretch(start + len(part), len(part), float(np.mean(part)), float(np.percentile(part, LOW))))
        start = size
    return found


def distances_to_earlier(candidates: Iterable[tuple[str, Candidate]]) -> Mapping[str, list[float]]:
    """View → the distance of each to the nearest before it, 1 for the first."""
    pool, found = Pool(), {"text": list[float](), "structure": list[float]()}
    for name, candidate in candidates:
        distances = pool.check(candidate).distances
        found["text"].append(distances["text"])
        found["structure"].append(distances["structure"])
        pool.add(name, candidate)
    return found
