"""What grading stored rollouts again came to, for people and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envolve.display import counted

from .output import print_table, say

if TYPE_CHECKING:
    from envolve.eval.regrading import Regraded
    from envolve.memory.records import TaskRecord
    from envolve.regrading.grading import TaskGrading

MOST_SHOWN = 40
"""Flipped verdicts and divergences that are shown to people; --json has all."""

MOST_DIFFERENCES = 2
"""Checks that are named of one flipped verdict."""


def show_graded(
    folder: Path, found: Sequence[TaskGrading], changed: Sequence[TaskRecord], *, applied: bool, options: str = ""
) -> None:
    """`options` are those that were given besides --apply, to be given again."""
    for grading in found:
        for line in _lines(grading):
            say(line)
    _show_flips(found)
    graded = [grading for grading in found if not grading.left_out]
    rollouts, flips = sum(len(one.regraded) for one in graded), sum(len(one.flips) for one in graded)
    tasks, verdicts = counted(len(graded), "task"), counted(flips, "verdict")
    say(f"{counted(rollouts, 'rollout')} of {tasks} graded again, {verdicts} flipped.")
    for record in changed:
        reason = f": {record.reason}" if record.reason else ""
        say(f"{record.id} is {(record.fate or record.stage).replace('_', ' ')} now{reason}")
    again = shlex.quote(str(folder))
    if applied and not changed and not any(one.report is not None and one.sound for one in graded):
        say("There was nothing to write: what is stored stands.")
    elif applied:
        say(f"Written; earlier verdicts are kept. The report is of before: envolve report {again}")
    elif flips or any(grading.version != grading.record.version for grading in graded):
        say(f"Nothing was written. To write it: envolve regrade {again}{options} --apply")


def _lines(grading: TaskGrading) -> list[str]:
    """What is to be said of a task besides its verdicts."""
    name, report = grading.record.id, grading.report
    lines = []
    if grading.unverified:
        return [f"{name}: not graded: {grading.left_out}; put it back, in tasks/{name}.yaml"]
    if grading.version != grading.record.version:
        how = "was changed after it was frozen" if grading.edited else "is another than the run's"
        again = f"audited again: {report.grade}" if report else "not audited again"
        lines.append(f"{name}: its verifier {how}; {again}")
    elif report is not None:
        lines.append(f"{name}: {_why_audited(grading)}; audited again: {report.grade}")
    if grading.left_out:
        hint = "" if grading.sound else " (--unsound grades all the same)"
        lines.append(f"{name}: not graded: {grading.left_out}{hint}")
    lines += [
        f"{name}: {_place(found)} could not be made anew: {_event(found)}" for found in grading.diverged[:MOST_SHOWN]
    ]
    more = len(grading.diverged) - MOST_SHOWN
    return [*lines, f"{name}: and {more} more (--json has all)"] if more > 0 else lines


def _why_audited(grading: TaskGrading) -> str:
    """Of a task whose version is the run's."""
    if grading.edited:
        return "its frozen hash does not fit"
    if any(found.flipped for found in grading.regraded):
        return "verdicts differ though the task did not change"
    return "it is one with what was changed"


def _show_flips(found: Sequence[TaskGrading]) -> None:
    flips = [(grading.record.id, flip) for grading in found for flip in grading.flips]
    if flips:
        print_table(
            "Verdicts that flipped",
            ("task", "rollout", "before", "after", "what differs"),
            [(task, _place(flip), *_outcomes(flip), _differing(flip)) for task, flip in flips[:MOST_SHOWN]],
        )
    if len(flips) > MOST_SHOWN:
        say(f"… and {len(flips) - MOST_SHOWN} more (--json has all).")
    passes = [line for grading in found for line in grading.passes]
    if passes:
        print_table(
            "Passes that change",
            ("task", "solver", "before", "after"),
            [
                (line.task, line.solver, f"{line.before}/{line.before_n}", f"{line.after}/{line.after_n}")
                for line in passes
            ],
        )


def _place(found: Regraded) -> str:
    rollout = found.rollout
    return f"{rollout.solver} {rollout.purpose} {rollout.index}"


def _differing(found: Regraded) -> str:
    told = found.differing
    more = f"; and {len(told) - MOST_DIFFERENCES} more" if len(told) > MOST_DIFFERENCES else ""
    return "; ".join(told[:MOST_DIFFERENCES]) + more


def _event(found: Regraded) -> str:
    return f"event {found.divergence.event}: {found.divergence.message}" if found.divergence else ""


def _outcomes(found: Regraded) -> tuple[str, str]:
    after = found.after.outcome if found.after else ""
    return found.rollout.verdict.outcome.replace("_", " "), after.replace("_", " ")


def graded_json(
    folder: Path, found: Sequence[TaskGrading], changed: Sequence[TaskRecord], *, applied: bool
) -> dict[str, Any]:
    return {
        "run": str(folder),
        "applied": applied,
        "tasks": [_task_json(grading) for grading in found],
        "flips": [_flip_json(grading, flip) for grading in found for flip in grading.flips],
        "passes": [line._asdict() for grading in found for line in grading.passes],
        "divergences": [
            {**_named(grading, one), "event": one.divergence.event, "message": one.divergence.message}
            for grading in found
            for one in grading.diverged
            if one.divergence is not None
        ],
        "standings": [
            {"task": record.id, "version": record.version, "stage": record.stage, "fate": record.fate}
            | {"reason": record.reason}
            for record in changed
        ],
    }


def _task_json(grading: TaskGrading) -> dict[str, Any]:
    return {
        "task": grading.record.id,
        "environment": grading.record.environment,
        "version": grading.record.version,
        "new_version": grading.version,
        "edited": grading.edited,
        "grade": grading.report.grade if grading.report else None,
        "left_out": grading.left_out,
        "rollouts": len(grading.stored),
        "flipped": len(grading.flips),
        "diverged": len(grading.diverged),
    }


def _named(grading: TaskGrading, found: Regraded) -> dict[str, Any]:
    rollout = found.rollout
    named = {name: getattr(rollout, name) for name in ("solver", "profile", "purpose", "index")}
    return {"task": grading.record.id, **named}


def _flip_json(grading: TaskGrading, found: Regraded) -> dict[str, Any]:
    before, after = (
        {"outcome": verdict.outcome, "reward": verdict.reward} if verdict else None
        for verdict in (found.rollout.verdict, found.after)
    )
    return {**_named(grading, found), "before": before, "after": after, "differs": list(found.differing)}
