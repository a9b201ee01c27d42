"""Paths unlike gold: those that a search finds within a budget of calls, and those that somebody found.

Each is run and judged. Where it ends as gold ends it has to pass. One that passes and ends elsewhere, neither ≈ nor
within `free`, nor gold's end in another spelling that the verifier takes, is shortened as far as it still does: that is
what a reader has to decide about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...environments.gold import GoldRun
from ...environments.models import CallStep
from ..search import search
from .base import AuditContext, Program, Trial
from .programs import calls, without
from .spelling import spelled_otherwise
from .trajectories import same_end

Still = Callable[[AuditContext, GoldRun, Trial], bool]

_MOST_FOUND = 8
_LOOKING = 4.0
_LONGEST = 10
"""Longer programs are not shortened."""


class FoundWays(NamedTuple):
    """`same` end ≈ gold's, or pass and differ in spelling alone; `elsewhere` pass and end in another state; `refused`
    are rejected though the goal holds, nothing unallowed changed, and no call can be left out of them. `spent`: calls
    of the search."""

    same: list[Trial]
    elsewhere: list[Trial]
    refused: list[Trial]
    spent: int


def found_ways(context: AuditContext) -> FoundWays:
    programs, spent = _searched(context)
    found = FoundWays([], [], [], spent)
    for number, program in enumerate(context.alternatives):
        _judge(context, {"kind": "found", "number": number}, program, found)
    for program in programs:
        _judge(context, {"kind": "found by search"}, program, found)
    return found


def _searched(context: AuditContext) -> tuple[list[Program], int]:
    """Programs that a search finds. Where gold changes nothing and nothing may change there is no other end."""
    if not context.search_calls or not (context.changes_state or context.task.verifier.allow):
        return [], 0
    result = search(
        context.environment,
        context.task,
        budget=context.search_calls,
        seed=context.seed,
        enough=_MOST_FOUND,
        end=context.gold.signature,
        looking=_LOOKING,
        unseen=True,
        reader=context.reader,
    )
    return [found.program for found in result.found], result.spent


def _judge(context: AuditContext, kind: dict[str, Any], program: Program, found: FoundWays) -> None:
    run = context.run(program)
    if not run.ok:
        return
    trial = _trial(context, kind, run)
    if same_end(context, run) or (trial.judgement.passed and spelled_otherwise(context, run)):
        found.same.append(trial)
    elif trial.judgement.passed:
        found.elsewhere.append(_shortened(context, kind, program, trial, _passes_elsewhere))
    elif trial.judgement.goal and trial.judgement.unharmed:
        needed = _shortened(context, kind, program, trial, _reaches_the_goal)
        # Where what is left passes, what was refused is what was done besides, of which the goal says nothing.
        if not needed.judgement.passed:
            found.refused.append(needed)


def _trial(context: AuditContext, kind: dict[str, Any], run: GoldRun) -> Trial:
    sent = [{"call": call.call, "args": call.args} for call in run.steps]
    submitted = run.submission.model_dump(mode="json", exclude_none=True) if run.submission else {}
    judgement = context.judge(run.after, run.changes, run.submission)
    return Trial({**kind, "calls": sent, "submit": submitted}, judgement)


def _shortened(context: AuditContext, kind: dict[str, Any], program: Program, trial: Trial, still: Still) -> Trial:
    """The shortest program that is left when calls are taken away as long as the end is `still` what it was."""
    if len(program) > _LONGEST:
        return trial
    for shorter in _without_a_call(program):
        run = context.run(shorter)
        if run.ok:
            tried = _trial(context, kind, run)
            if still(context, run, tried):
                return _shortened(context, kind, shorter, tried, still)
    return trial


def _passes_elsewhere(context: AuditContext, run: GoldRun, trial: Trial) -> bool:
    return trial.judgement.passed and not same_end(context, run) and not spelled_otherwise(context, run)


def _reaches_the_goal(context: AuditContext, run: GoldRun, trial: Trial) -> bool:
    return bool(trial.judgement.goal) and trial.judgement.unharmed


def _without_a_call(program: Program) -> Iterator[Program]:
    for index, step in calls(program):
        if isinstance(step, CallStep) and step.as_ is None:
            yield without(program, index)
