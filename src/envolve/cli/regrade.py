"""`envolve regrade`: what a mended verifier makes of the rollouts that a run has stored."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import JsonFlag, print_json, print_table, say, warn
from .status import RunFolder

if TYPE_CHECKING:
    from envolve.eval.regrading import Regraded
    from envolve.memory.records import TaskRecord
    from envolve.memory.store import RunStore
    from envolve.regrading import TaskGrading

MOST_SHOWN = 40
"""Flipped verdicts and divergences that are shown to people; --json has all."""

MOST_DIFFERENCES = 2
"""Checks that are named of one flipped verdict."""


def regrade(
    folder: RunFolder,
    task: Annotated[
        str | None, typer.Option(metavar="TASK", help="Only this task: its id, or the beginning of its version.")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the new verdicts, and all that follows.")] = False,
    unsound: Annotated[
        bool, typer.Option("--unsound", help="Grade with verifiers too that the audit finds not sound.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Grade stored rollouts again, after a verifier in the run's packages was mended or the matching code changed.

    Exit code 1 if a verifier is not sound, or a rollout could not be made anew. Without --apply nothing is written.
    """
    from envolve.recounting import apply as write
    from envolve.regrading import regrade_run

    changed = list["TaskRecord"]()
    with ExitStack() as stack:
        store = _opened(stack, folder, writing=apply)
        found = regrade_run(store, folder, task=task, unsound=unsound, on_task=_teller(quiet=as_json))
        if apply:
            changed = write(store, folder, found)
    if as_json:
        print_json(_told(folder, found, changed, applied=apply))
    else:
        _show(folder, found, changed, applied=apply)
    bad = any(grading.diverged or not grading.sound for grading in found)
    raise typer.Exit(1 if bad else 0)


def _opened(stack: ExitStack, folder: Path, *, writing: bool) -> RunStore:
    """Errors: InputError for a folder without a run and for a run in the middle of a round, ServiceError for one that
    is in use."""
    from envolve.environments.errors import InputError, ServiceError
    from envolve.memory.store import RunLock, RunStore
    from envolve.runs import require_run

    require_run(folder, again="envolve regrade {run}")
    if not writing:
        if RunLock.is_live(folder):
            raise ServiceError(
                f"{folder} is in use: verdicts would change meanwhile.", remedy="Wait for it or stop it."
            )
        return stack.enter_context(RunStore.open_read_only(folder))
    stack.enter_context(RunLock(folder))
    store = stack.enter_context(RunStore.open(folder))
    last = store.work.last_round()
    if last is not None and last.status == "running":
        raise InputError(
            f"{folder} stopped in the middle of round {last.number}, whose work rests on the verdicts as they are.",
            remedy=f"Let it finish the round: envolve run {shlex.quote(str(folder))}",
        )
    return store


def _teller(*, quiet: bool) -> Any:
    def tell(task: str, rollouts: int) -> None:
        if not quiet:
            warn(f"{task}: {rollouts} rollouts")

    return tell


def _show(folder: Path, found: Sequence[TaskGrading], changed: Sequence[TaskRecord], *, applied: bool) -> None:
    from envolve.display import counted

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
    if applied:
        say(f"Written; earlier verdicts are kept. The report is of before: envolve report {again}")
    elif flips or any(grading.version != grading.record.version for grading in graded):
        say(f"Nothing was written. To write it: envolve regrade {again} --apply")


def _lines(grading: TaskGrading) -> list[str]:
    """What is to be said of a task besides its verdicts."""
    name, report = grading.record.id, grading.report
    lines = []
    if grading.version != grading.record.version:
        how = "was changed after it was frozen" if grading.edited else "is another than the run's"
        lines.append(f"{name}: its verifier {how}; audited again: {report.grade if report else 'not audited'}")
    elif report is not None:
        why = "its frozen hash does not fit" if grading.edited else "verdicts differ though the task did not change"
        lines.append(f"{name}: {why}; audited again: {report.grade}")
    if grading.left_out:
        hint = " (--unsound grades all the same)" if report is not None else ""
        lines.append(f"{name}: not graded: {grading.left_out}{hint}")
    lines += [
        f"{name}: {_place(found)} could not be made anew: {_event(found)}" for found in grading.diverged[:MOST_SHOWN]
    ]
    return lines


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


def _told(
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
