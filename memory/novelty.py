"""Is a candidate new? Exact comparison with everything admitted before, in two views.

Text alone misses a clone in other words; structure alone misses a copy with other tables. An environment too close
in either view is a duplicate. A task is one if it says the same, is solved the same way and is aimed at the same:
an evolved child differs in at least one of these from its parent.

Thresholds were set by trying (`docs` of each field give the measured values); they are fixed for now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..environments.models import Frozen
from .postings import Postings, VectorTable
from .records import Part, Signature, Vector
from .signatures.compose import ENVIRONMENT_WEIGHTS
from .store.queries import VectorKind, VectorRow
from .store.run_store import RunStore
from .texts import summary

View = Literal["text", "structure", "targets"]
_PAGE = 200
Similarities: TypeAlias = NDArray[np.float64]


class Thresholds(Frozen):
    """Similarities (0..1) from which on a candidate is a duplicate."""

    environment_text: float = 0.8
    """Measured with MiniLM. Copies of the table-booking sample: names changed 1.00, its summary reworded 0.91.
    Distinct: the nearest two of 120 procedural worlds 0.65, the sample told as a hairdresser's 0.62."""
    environment_structure: float = 0.8
    """Measured. Copies of the sample: renamed, retold or reordered 1.00; one tool of 15 dropped 0.98, three 0.91, a
    column added 0.92, a table added 0.86. Distinct: 99.9% of the pairs of 120 procedural worlds are below 0.80 (those
    above are the same parts in other words); another platform for the sample's domain 0.07."""
    task_text: float = 0.6
    task_structure: float = 0.9
    task_targets: float = 0.8
    """All three must be reached. Measured on procedural tasks: all of 36 paraphrases reach them (medians 0.89, 1.00,
    1.00); of distinct tasks of one environment no two with the same structure share more than 0.7 of their targets;
    children by other operators seldom do (a name for a description), and are compared without their parent."""


class Neighbour(Frozen):
    """Something remembered that is close. Held-out items show id and distance only."""

    id: str
    view: View
    distance: float
    summary: str = ""


class NoveltyVerdict(Frozen):
    """`neighbours`, nearest first in each view; `distances` to the nearest by view (1 if nothing is known).

    A duplicate names what it repeats and why.
    """

    duplicate: bool
    of: str | None = None
    reason: str = ""
    neighbours: tuple[Neighbour, ...] = ()
    distances: dict[View, float] = {}


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is compared: the vector of its text (None if it was not embedded) and its signature."""

    vector: Vector | None
    signature: Signature


class Novelty:
    """Everything known so far. `refresh` takes in what was committed since; fates count as they were then.

    Checks against an earlier state (`before_round`) give the same answer whenever they are made.
    """

    def __init__(self, store: RunStore, *, thresholds: Thresholds | None = None) -> None:
        self._store = store
        self._limits = thresholds or Thresholds()
        self._environments = _Known(("schema", "tools", "gold"))
        self._tasks = _Known(("shape", "targets"))
        self.refresh()

    def refresh(self) -> None:
        """Take in what was committed since the last time."""
        for row in self._new("environments", self._environments):
            self._environments.add(row, known=row.fate == "admitted")
        for row in self._new("tasks", self._tasks):
            self._tasks.add(row, known=row.fate not in {"duplicate", "broken"})

    def check_environment(
        self,
        candidate: Candidate,
        *,
        before_round: int | None = None,
        exempt: Collection[str] = (),
        told_alike: Collection[str] = (),
        n: int = 3,
    ) -> NoveltyVerdict:
        """Against admitted environments, of rounds before `before_round` if given. `n` neighbours are named in each
        view.

        `exempt` ids do not count at all (a child's parents); of `told_alike` ids only the structure does (where
        several environments of one scenario are wanted).
        """
        known = self._environments
        views: dict[View, Similarities] = {
            "text": known.text(candidate.vector),
            "structure": known.mean(candidate.signature, ENVIRONMENT_WEIGHTS),
        }
        limits = (self._limits.environment_text, self._limits.environment_structure)
        margins = np.stack([found - limit for found, limit in zip(views.values(), limits, strict=True)])
        margins[0, known.rows_named(told_alike)] = -1.0
        rows = known.rows_before(before_round, exempt)
        worst = _worst(margins.max(axis=0), rows)
        reason = "" if worst is None else _reasons(views, limits, worst)
        return known.verdict(views, rows, worst, reason, n)

    def check_task(
        self, candidate: Candidate, *, before_round: int | None = None, exempt: Collection[str] = (), n: int = 3
    ) -> NoveltyVerdict:
        """Against stored tasks, those that were duplicates or broken aside; `exempt` versions aside (an evolved
        task's parent: what an operator does may be small, and a placebo repeats it on purpose)."""
        known = self._tasks
        views: dict[View, Similarities] = {
            "text": known.text(candidate.vector),
            "structure": known.part("shape", candidate.signature),
            "targets": known.part("targets", candidate.signature),
        }
        limits = (self._limits.task_text, self._limits.task_structure, self._limits.task_targets)
        margins = np.stack([found - limit for found, limit in zip(views.values(), limits, strict=True)])
        rows = known.rows_before(before_round, exempt)
        worst = _worst(margins.min(axis=0), rows)
        reason = "" if worst is None else "same request, same way to solve it, same targets"
        return known.verdict(views, rows, worst, reason, n)

    def _new(self, kind: VectorKind, known: _Known) -> Iterator[VectorRow]:
        """What was committed since, a page at a time: signatures are large once they are unpacked."""
        while page := self._store.vectors.rows(kind, after=known.place, signatures=True, limit=_PAGE):
            yield from page


class _Known:
    """Rows in the order of their commits, compared in several views at once."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.place = 0
        self._names = list[str]()
        self._summaries = list[str]()
        self._rounds = list[int]()
        self._vectors = VectorTable()
        self._parts = {part: Postings() for part in parts}

    def add(self, row: VectorRow, *, known: bool) -> None:
        self.place = row.place
        if not known:
            return
        self._names.append(row.key)
        self._summaries.append("" if row.split == "held_out" else summary(row.text))
        self._rounds.append(row.created_round)
        self._vectors.add(row.vector)
        for part, postings in self._parts.items():
            postings.add(row.signature.parts.get(part, {}) if row.signature else {})

    def rows_before(self, before_round: int | None, exempt: Collection[str]) -> NDArray[np.intp]:
        rounds = np.array(self._rounds, dtype=np.int64)
        keep = np.ones(len(rounds), dtype=bool) if before_round is None else rounds < before_round
        keep[self.rows_named(exempt)] = False
        return np.flatnonzero(keep)

    def rows_named(self, names: Collection[str]) -> list[int]:
        return [row for row, name in enumerate(self._names) if name in names] if names else []

    def text(self, vector: Vector | None) -> Similarities:
        return self._vectors.similarities(vector)

    def part(self, part: Part, signature: Signature) -> Similarities:
        return self._parts[part].similarities(signature.parts.get(part, {}))

    def mean(self, signature: Signature, weights: Mapping[Part, float]) -> Similarities:
        """The weighted mean over the parts that both sides have (as `structural_similarity`)."""
        total, alike = np.zeros(len(self._names)), np.zeros(len(self._names))
        for part, weight in weights.items():
            if signature.parts.get(part):
                present = self._parts[part].present() * weight
                total += present
                alike += present * self.part(part, signature)
        return np.divide(alike, total, out=np.zeros_like(alike), where=total > 0)

    def verdict(
        self, views: Mapping[View, Similarities], rows: NDArray[np.intp], worst: int | None, reason: str, n: int
    ) -> NoveltyVerdict:
        nearest = {view: rows[np.argsort(-found[rows], kind="stable")[:n]] for view, found in views.items()}
        neighbours = [
            Neighbour(
                id=self._names[row], view=view, distance=_distance(views[view][row]), summary=self._summaries[row]
            )
            for view, chosen in nearest.items()
            for row in chosen
        ]
        return NoveltyVerdict(
            duplicate=worst is not None,
            of=None if worst is None else self._names[worst],
            reason=reason,
            neighbours=tuple(neighbours),
            distances={
                view: _distance(views[view][chosen[0]]) if len(chosen) else 1.0 for view, chosen in nearest.items()
            },
        )


def _distance(similarity: float) -> float:
    return round(1.0 - float(similarity), 6)


def _worst(margins: Similarities, rows: NDArray[np.intp]) -> int | None:
    """The row that is over its limit by most, the earlier of equals; None if none is."""
    if not len(rows):
        return None
    row = int(rows[np.argmax(margins[rows])])
    return row if margins[row] >= 0 else None


def _reasons(views: Mapping[View, Similarities], limits: tuple[float, ...], row: int) -> str:
    over = [(view, found[row], limit) for (view, found), limit in zip(views.items(), limits, strict=True)]
    return ", ".join(
        f"{view} similarity {value:.2f} reaches {limit:.2f}" for view, value, limit in over if value >= limit
    )
