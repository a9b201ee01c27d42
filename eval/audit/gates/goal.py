"""The goal, written before gold ran, agrees with `require` on gold, on every mutant and on every alternative.

No dispute are states in which something unallowed changed, which the verifier rejects whatever the goal says; and
edited end states, or ends after something was done besides, in which the goal holds and a requirement does not: a
requirement may look at what tools write besides, and the goal does not say what else may not be done. Where other calls
lead to such a state, the verifier asks for more than the goal does, and somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.changes import ChangeSet
from ....environments.models import GateResult
from ..base import AuditContext, Trial, shortest
from ..end_states import end_states
from ..extras import KIND as DONE_BESIDES
from ..other_ways import other_ways
from ..trajectories import trajectories


def gate(context: AuditContext) -> GateResult:
    if context.task.goal.sql is None:
        if context.changes_state:
            return GateResult(gate="goal", status="failed", message="a task that changes the world needs goal.sql")
        return GateResult(gate="goal", status="not_run", message="the task asks a question: its goal has no SQL")
    trials = list(_trials(context))
    disputed = [
        {"problem": problem, **trial.shown}
        for trial, acted in trials
        if (problem := trial.judgement.disagreement(acted=acted))
    ]
    if disputed:
        return GateResult(
            gate="goal",
            status="failed",
            message=f"{len(disputed)} of {len(trials)} states are disputed: {disputed[0]['problem']}",
            evidence=shortest(disputed),
        )
    return GateResult(gate="goal", status="passed", message=f"agrees on {len(trials)} states")


def _trials(context: AuditContext) -> Iterator[tuple[Trial, bool]]:
    """Each state, and whether doing the task in some way leads to it. Other forms of gold's own state count as such."""
    gold = context.gold
    edited, acted, others = context.once(end_states), context.once(trajectories), context.once(other_ways)
    yield Trial({"kind": "gold"}, context.judge(gold.after, gold.changes, gold.submission)), True
    yield Trial({"kind": "nothing done"}, context.judge(context.before, ChangeSet(), gold.submission)), True
    yield from ((trial, False) for trial in edited.mutants)
    yield from ((trial, trial.shown["kind"] != DONE_BESIDES) for trial in acted.mistakes)
    for trials in (edited.same, acted.same, others.same, others.elsewhere, others.refused):
        yield from ((trial, True) for trial in trials)
