"""Is a candidate new? Exact comparison with everything admitted before, in two views.

Text alone misses a clone in other words; structure alone misses a copy with other tables. An environment too close
in either view is a duplicate. A task is one if it says the same, is solved the same way and is aimed at the same:
an evolved child differs in at least one of these from its parent.

Thresholds were set by measurement (each field tells it; `envolve bench novelty` repeats it); they are fixed for now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..environments.models import Frozen
from .known import Known, Similarities
from .records import Signature, Vector
from .signatures.compose import ENVIRONMENT_WEIGHTS
from .store.queries import VectorKind, VectorRow
from .store.run_store import RunStore

View = Literal["text", "structure", "targets"]
_PAGE = 200


class Thresholds(Frozen):
    """Similarities (0..1) from which on a candidate is a duplicate."""

    environment_text: float = 0.8
    """Measured with MiniLM. Copies that rules paraphrased: 0.86 and more (24); copies of the table-booking sample:
    names changed 1.00, its summary reworded 0.91. Distinct: 0.70 at most (60, of the same category); the sample told
    as a hairdresser's 0.62."""
    environment_structure: float = 0.6
    """Set on the pairs of `envolve bench novelty`, a seed for developing (12 base worlds, 120 near-copies, 60 distinct
    pairs): the least alike near-copy 0.68, with 30% left out; the most alike distinct pair 0.42, half of whose tools
    are the same. Other copies 0.92 and more."""
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
    """Everything known so far. Answers are functions of the committed rows, whichever process asks and whenever it
    was opened: `refresh` takes in what was committed since, later changes of fates included.

    Checks against an earlier state (`before_round`) see things and fates as they were when that round began.
    """

    def __init__(self, store: RunStore, *, thresholds: Thresholds | None = None) -> None:
        self._store = store
        self._limits = thresholds or Thresholds()
        self._environments = Known(("schema", "tools", "gold"), _environment_counts)
        self._tasks = _known_tasks()
        self.refresh()

    def refresh(self) -> None:
        """Take in what was committed since the last time."""
        self._take_in("environments", self._environments)
        self._take_in("tasks", self._tasks)

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
        return environment_verdict(
            self._environments,
            candidate,
            self._limits,
            before_round=before_round,
            exempt=exempt,
            told_alike=told_alike,
            n=n,
        )

    def check_task(
        self,
        candidate: Candidate,
        *,
        before_round: int | None = None,
        exempt: Collection[str] = (),
        beside: Mapping[str, Candidate] = MappingProxyType({}),
        n: int = 3,
    ) -> NoveltyVerdict:
        """Against stored tasks, those that were duplicates or broken aside; `exempt` versions aside (an evolved
        task's parent: what an operator does may be small, and a placebo repeats it on purpose).

        What repeats none of them is held against `beside`: tasks by version that are about to be committed too.
        """
        verdict = self._compared(candidate, self._tasks, before_round, exempt, n)
        if verdict.duplicate or not beside:
            return verdict
        waiting = _known_tasks()
        for version, task in beside.items():
            waiting.add(_waiting(version, task))
        repeated = self._compared(candidate, waiting, None, exempt, n)
        return repeated if repeated.duplicate else verdict

    def _compared(
        self, candidate: Candidate, known: Known, before_round: int | None, exempt: Collection[str], n: int
    ) -> NoveltyVerdict:
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
        return _verdict(known, views, rows, worst, reason, n)

    def _take_in(self, kind: VectorKind, known: Known) -> None:
        """A page at a time: signatures are large once they are unpacked."""
        while page := self._store.vectors.rows(kind, after=known.place, signatures=True, limit=_PAGE):
            for row in page:
                known.add(row)
        known.settle(self._store.vectors.settled(kind, known.settled))


def environment_verdict(
    known: Known,
    candidate: Candidate,
    limits: Thresholds,
    *,
    before_round: int | None = None,
    exempt: Collection[str] = (),
    told_alike: Collection[str] = (),
    n: int = 3,
) -> NoveltyVerdict:
    """`Novelty.check_environment` against what is given as known."""
    views: dict[View, Similarities] = {
        "text": known.text(candidate.vector),
        "structure": known.mean(candidate.signature, ENVIRONMENT_WEIGHTS),
    }
    reach = (limits.environment_text, limits.environment_structure)
    margins = np.stack([found - limit for found, limit in zip(views.values(), reach, strict=True)])
    margins[0, known.rows_named(told_alike)] = -1.0
    rows = known.rows_before(before_round, exempt)
    worst = _worst(margins.max(axis=0), rows)
    reason = "" if worst is None else _reasons(views, reach, worst)
    return _verdict(known, views, rows, worst, reason, n)


def task_counts(fate: str | None) -> bool:
    """Whether a stored task with this fate is one that others must not repeat."""
    return fate not in {"duplicate", "broken", "replaced"}


def _environment_counts(fate: str) -> bool:
    return fate == "admitted"


def _known_tasks() -> Known:
    return Known(("shape", "targets"), task_counts)


def _waiting(version: str, task: Candidate) -> VectorRow:
    return VectorRow(
        key=version,
        place=0,
        fate="audited",
        split="held_out",
        environment="",
        created_round=0,
        settled_round=0,
        text="",
        vector=task.vector,
        signature=task.signature,
    )


def _verdict(
    known: Known,
    views: Mapping[View, Similarities],
    rows: NDArray[np.intp],
    worst: int | None,
    reason: str,
    n: int,
) -> NoveltyVerdict:
    nearest = {view: rows[np.argsort(-found[rows], kind="stable")[:n]] for view, found in views.items()}
    neighbours = [
        Neighbour(id=known.names[row], view=view, distance=_distance(views[view][row]), summary=known.summaries[row])
        for view, chosen in nearest.items()
        for row in chosen
    ]
    return NoveltyVerdict(
        duplicate=worst is not None,
        of=None if worst is None else known.names[worst],
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
