"""Memory's front door: what to remember of a thing, whether it is new, and what is like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..environments.errors import InputError
from ..environments.models import Finding, Task
from .defects import PastDefect, past_defects
from .embedders.base import Embedder
from .novelty import Candidate, Novelty
from .records import Vector
from .search import ExactSearch, Hit, Search
from .signatures import Signature, environment_signature, task_signature
from .store.queries import VectorKind
from .store.run_store import RunStore
from .texts import defect_text, environment_text, task_text

if TYPE_CHECKING:
    from ..environments.package import Environment


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is stored of a thing to compare it later: records take these three fields."""

    text: str
    vector: Vector
    signature: Signature

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.vector, self.signature)


class Librarian:
    """`search` is the Chroma index for the process that owns it; without, the store is searched exactly.

    Errors: InputError if the run's vectors were made by another embedder (see `reembed`).
    """

    def __init__(self, store: RunStore, embedder: Embedder, *, search: Search | None = None) -> None:
        known = store.info().embedder
        if known is not None and known != _space(embedder):
            raise InputError(
                f"This run's memory was embedded with {known}, not {_space(embedder)}.",
                remedy="Use that embedder, or embed all texts anew: `envolve memory RUN rebuild`.",
            )
        self.store = store
        self.embedder = embedder
        self._search = search or ExactSearch(store)

    def claim(self) -> None:
        """Note the embedder in the store, before the first vector is written."""
        if self.store.info().embedder is None:
            self.store.update(embedder=_space(self.embedder))

    def remember_environment(self, environment: Environment) -> Remembered:
        text = environment_text(environment)
        return Remembered(text, self._vector(text), environment_signature(environment))

    def remember_task(self, environment: Environment, task: Task) -> Remembered:
        text = task_text(task)
        return Remembered(text, self._vector(text), task_signature(environment, task))

    def remember_finding(self, finding: Finding) -> tuple[str, Vector]:
        """Text and vector of a finding."""
        text = defect_text(finding)
        return text, self._vector(text)

    def novelty(self) -> Novelty:
        """What is known now; refresh it as work is committed."""
        return Novelty(self.store)

    def search(self, text: str, kind: VectorKind, n: int = 5) -> list[Hit]:
        """The nearest things to a text, nearest first; held-out ones never show."""
        return self._search.nearest(self._vector(text), kind, n)

    def defects(self, *texts: str, n: int = 5, before_round: int | None = None) -> list[PastDefect]:
        """Past defects near any of the texts (a scenario, tools' descriptions), with their fixes."""
        if not self.store.findings.count_since(0):
            return []  # most runs never have a defect, and texts take longer to embed than to look up
        vectors = list(self.embedder.embed(list(texts)))
        return past_defects(self.store, self._search, vectors, n=n, before_round=before_round)

    def _vector(self, text: str) -> Vector:
        vector: Vector = self.embedder.embed([text])[0]
        return vector


def reembed(store: RunStore, embedder: Embedder) -> int:
    """Embed every stored text anew, for another embedder; how many there were. Rebuild the index afterwards."""
    kinds: Sequence[VectorKind] = ("environments", "tasks", "defects")
    count = 0
    for kind in kinds:
        rows = store.vectors.rows(kind)
        vectors = embedder.embed([row.text for row in rows])
        store.set_vectors(kind, {row.key: vector for row, vector in zip(rows, vectors, strict=True)})
        count += len(rows)
    store.update(embedder=_space(embedder))
    return count


def _space(embedder: Embedder) -> str:
    return f"{embedder.name}/{embedder.dimension}"
