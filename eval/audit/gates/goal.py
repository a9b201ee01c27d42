"""The goal, written before gold ran, agrees with `require` on gold, on every mutant and on every alternative.

A goal says what must be so, `allow` what else may not change. So states in which something unallowed changed, which
the verifier rejects whatever the goal says, are no dispute.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.changes import ChangeSet
from ....environments.models import GateResult
from ..base import AuditContext, Trial, shortest
from ..end_states import end_states
from ..other_ways import other_ways
from ..trajectories import trajectories


def gate(context: AuditContext) -> GateResult:
    if context.task.goal.sql is None:
        if context.changes_state:
            return GateResult(gate="goal", status="failed", message="a task that changes the world needs goal.sql")
        return GateResult(gate="goal", status="not_run", message="the task asks a question: its goal has no SQL")
    trials = list(_trials(context))
    disputed = [
        {"problem": trial.judgement.disagreement, **trial.shown} for trial in trials if trial.judgement.disagreement
    ]
    if disputed:
        return GateResult(
            gate="goal",
            status="failed",
            message=f"{len(disputed)} of {len(trials)} states are disputed: {disputed[0]['problem']}",
            evidence=shortest(disputed),
        )
    return GateResult(gate="goal", status="passed", message=f"agrees on {len(trials)} states")


def _trials(context: AuditContext) -> Iterator[Trial]:
    gold = context.gold
    yield Trial({"kind": "gold"}, context.judge(gold.after, gold.changes, gold.submission))
    yield Trial({"kind": "nothing done"}, context.judge(context.before, ChangeSet(), gold.submission))
    edited, acted, others = context.once(end_states), context.once(trajectories), context.once(other_ways)
    yield from (*edited.mutants, *edited.same, *acted.mistakes, *acted.same, *others.same, *others.elsewhere)
