"""All labelled ends of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from .base import Aim, End, Scene
from .labels import label_of
from .operators import RIGHT, WRONG

MET = "the audit has judged this end"
AGAIN = "the same end as another operator's"
EndKey = str


class LabelledTrial(NamedTuple):
    """An end with its label, the operator that made it, what was done otherwise, and how to get there again."""

    label: Aim
    operator: str
    change: str
    how: dict[str, Any]
    end: End


class Labelled(NamedTuple):
    """`undecided`: operator → reason → how many ends were left out."""

    trials: list[LabelledTrial]
    undecided: dict[str, Counter[str]]


def end_key(end: End) -> EndKey:
    """Equal for ends that no verifier can tell apart."""
    rows = [row.model_dump() for row in end.state.changes.rows]
    return repr((rows, end.submission.model_dump()))


def labelled(scene: Scene, *, met: Collection[EndKey] = ()) -> Labelled:
    """The ends that all operators make of a task. Those that were met before (by the audit, by another operator) are
    left out: no verifier can tell them apart, so they say nothing new."""
    found = Labelled([], {})
    seen: set[EndKey] = set()
    for name, operator in (*RIGHT.items(), *WRONG.items()):
        for candidate in operator(scene):
            outcome, reason = label_of(scene, candidate)
            if outcome == "undecided" or isinstance(candidate.end, str):
                found.undecided.setdefault(name, Counter())[reason] += 1
                continue
            key = end_key(candidate.end)
            if key in met or key in seen:
                found.undecided.setdefault(name, Counter())[MET if key in met else AGAIN] += 1
                continue
            seen.add(key)
            found.trials.append(LabelledTrial(outcome, name, candidate.change, candidate.how, candidate.end))
    return found
