"""`envolve regrade`: what a mended verifier makes of the rollouts that a run has stored."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .graded import graded_json, show_graded
from .output import JsonFlag, print_json, warn
from .status import RunFolder

if TYPE_CHECKING:
    from envolve.memory.records import TaskRecord
    from envolve.memory.store import RunStore
    from envolve.regrading.grading import OnTask


def regrade(
    folder: RunFolder,
    task: Annotated[
        str | None,
        typer.Option(metavar="TASK", help="Only this task (or pair): its id, or the beginning of its version."),
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
    from envolve.regrading.grading import regrade_run
    from envolve.regrading.writing import apply as write

    changed = list["TaskRecord"]()
    with ExitStack() as stack:
        store = _opened(stack, folder, writing=apply)
        found = regrade_run(store, folder, task=task, unsound=unsound, on_task=_teller(quiet=as_json))
        if apply:
            changed = write(store, folder, found)
    if as_json:
        print_json(graded_json(folder, found, changed, applied=apply))
    else:
        options = f" --task {shlex.quote(task)}" if task is not None else ""
        options += " --unsound" if unsound else ""
        show_graded(folder, found, changed, applied=apply, options=options)
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


def _teller(*, quiet: bool) -> OnTask:
    def tell(task: str, rollouts: int) -> None:
        if not quiet:
            warn(f"{task}: {rollouts} rollouts")

    return tell
