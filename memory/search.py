"""Finding what was built before by its text. Exact, over the rows of the run store; held-out items never show."""

from __future__ import annotations

from typing import Protocol

from ..environments.models import Frozen
from .postings import VectorTable
from .records import Vector
from .store.queries import VectorKind, VectorRow
from .store.run_store import RunStore
from .texts import summary

KINDS: tuple[VectorKind, ...] = ("environments", "tasks", "defects")


class Hit(Frozen):
    """Something found. `id` is an environment's id, a task's version or a finding's number; `distance` (1 minus
    cosine) is exact, whatever found it. A task in play has its stage as fate."""

    kind: VectorKind
    id: str
    environment: str
    fate: str
    distance: float
    summary: str


class Search(Protocol):
    """Nearest things of a kind to a vector, nearest first."""

    def nearest(self, vector: Vector, kind: VectorKind, n: int) -> list[Hit]: ...


class ExactSearch:
    """Reads the store at each search, so it is right while a run is live. Takes in only what is new."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._places = dict.fromkeys(KINDS, 0)
        self._keys: dict[VectorKind, list[str]] = {kind: [] for kind in KINDS}
        self._tables = {kind: VectorTable() for kind in KINDS}

    def nearest(self, vector: Vector, kind: VectorKind, n: int) -> list[Hit]:
        self._refresh(kind)
        similarities = self._tables[kind].similarities(vector)
        order = (-similarities).argsort(kind="stable")[:n]
        return hits(self._store, kind, vector, [self._keys[kind][row] for row in order])

    def _refresh(self, kind: VectorKind) -> None:
        for row in self._store.vectors.rows(kind, after=self._places[kind]):
            self._places[kind] = row.place
            if row.split == "train" and row.vector is not None:
                self._keys[kind].append(row.key)
                self._tables[kind].add(row.vector)


def hits(store: RunStore, kind: VectorKind, vector: Vector, keys: list[str]) -> list[Hit]:
    """The rows of `keys` as the store has them now, nearest first by exact distance; held-out ones left out."""
    rows = store.vectors.rows(kind, keys=keys)
    found = [_hit(kind, row, row.vector, vector) for row in rows if row.split == "train" and row.vector is not None]
    return sorted(found, key=lambda hit: hit.distance)


def _hit(kind: VectorKind, row: VectorRow, known: Vector, vector: Vector) -> Hit:
    distance = round(1.0 - max(float(known @ vector), 0.0), 6)
    return Hit(
        kind=kind,
        id=row.key,
        environment=row.environment,
        fate=row.fate,
        distance=max(distance, 0.0),
        summary=summary(row.text),
    )
