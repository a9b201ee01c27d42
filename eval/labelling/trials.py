"""All labelled ends of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from .base import Aim, End, Scene
from .labels import label_of
from .operators import RIGHT, WRONG

MET = "the audit has judged this end"
AGAIN = "the same end as another"
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
    """The ends that all operators make of a task. Wrong ones that were met before (by the audit, by another operator)
    are left out; right ones are ≈ each other by what they are."""
    found = Labelled([], {})
    seen: set[EndKey] = set()
    for name, operator in (*RIGHT.items(), *WRONG.items()):
        for candidate in operator(scene):
            label = label_of(scene, candidate)
            outcome, reason = label
            if outcome == "wrong" and not isinstance(candidate.end, str):
                key = end_key(candidate.end)
                reason = MET if key in met else AGAIN if key in seen else ""
                seen.add(key)
            if reason or outcome == "undecided" or isinstance(candidate.end, str):
                found.undecided.setdefault(name, Counter())[reason] += 1
                continue
            found.trials.append(LabelledTrial(outcome, name, candidate.change, candidate.how, candidate.end))
    return found
