"""The label of an end, from the goal, gold's end state and gold's submission: never from the verifier.

Right is a state ≈ gold's under which the goal holds, with what gold handed in, or with its answer written otherwise.
Wrong is a state unlike gold's in which the goal does not hold, or a submission that says something else than gold's.
All else is undecided: a state unlike gold's in which the goal holds may be right or harm something, and the goal does
not say; and where the goal does not hold in a state ≈ gold's, one of the two definitions is at fault.
"""

from __future__ import annotations

from ...environments.sql_text import SqlProblem
from .answers import Said, says
from .base import Candidate, End, Label, Scene

_UNMET = "the goal does not hold, though the state is gold's"


def label_of(scene: Scene, candidate: Candidate) -> Label:
    """The label of an end. Only an end that was made to be right can be right, and the other way round: what an
    operator did not come to is left out."""
    end = candidate.end
    if isinstance(end, str):
        return Label("undecided", end)
    return _right(scene, end) if candidate.aim == "right" else _wrong(scene, end)


def _right(scene: Scene, end: End) -> Label:
    if end.state.signature != scene.gold.signature:
        return Label("undecided", "ends in another state than gold")
    if _goal(scene, end) is False:
        return Label("undecided", _UNMET)
    if not _same_status(scene, end) or _said(scene, end) != "same":
        return Label("undecided", "the answer is another one than gold's")
    return Label("right")


def _wrong(scene: Scene, end: End) -> Label:
    said, holds = _said(scene, end), _goal(scene, end)
    same_state = end.state.signature == scene.gold.signature
    if said == "other" or not _same_status(scene, end) or (holds is False and not same_state):
        return Label("wrong")
    if said == "unclear":
        return Label("undecided", "the answer is nearly gold's")
    if same_state:
        return Label("undecided", _UNMET if holds is False else "≈ gold's end state")
    asked = scene.task.goal.sql is not None
    return Label(
        "undecided", "the goal holds in another state than gold's" if asked else "no goal speaks of the state"
    )


def _said(scene: Scene, end: End) -> Said:
    return says(scene.task.verifier.answer, scene.submission, end.submission)


def _goal(scene: Scene, end: End) -> bool | None:
    """Whether the goal holds; None without SQL, or where it does not run."""
    if scene.task.goal.sql is None:
        return None
    scene.context.reader.show(end.state.image, end.state.changes)
    try:
        return scene.context.reader.holds(scene.task.goal.sql)
    except SqlProblem:
        return None


def _same_status(scene: Scene, end: End) -> bool:
    gold, given = scene.submission, end.submission
    return (gold.status, gold.reason) == (given.status, given.reason)
