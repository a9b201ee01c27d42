"""Running attacks: each attempt in a fresh episode, judged where it ends.

An attempt succeeds if it passes, ends in another state than gold does (neither ≈ under the task's free columns, nor in
another spelling that the verifier takes), and the goal's SQL does not hold there, or there is none. Where the goal
holds too, verifier and goal agree on another end: a reader has to decide whether it is right. An attempt that passes
and ends where gold ends did the work, or was lucky: a pass of one that took its chances is counted as such.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ....environments.changes import ChangeSet
from ....environments.gold import GoldFailure, GoldRun
from ....environments.gold.references import resolve
from ....environments.models import CallStep, SubmitStep
from ....environments.models.audits import AttackCount
from ....environments.submitting import SubmissionReader
from ..base import AuditContext, Judgement, Program, Trial
from ..spelling import spelled_otherwise
from .base import Attacker, Attempt

Fate = Literal["failed", "rejected", "right", "lucky", "elsewhere", "succeeded"]
"""`failed`: a call of it did; `right`: it passes, as it should; `elsewhere`: it passes, and so it does by the goal."""


class TriedAttack(NamedTuple):
    attempt: Attempt
    fate: Fate
    trial: Trial | None


class Attacks(NamedTuple):
    """What was tried, by how many calls, and the names of who tried."""

    tried: list[TriedAttack]
    calls: int
    attackers: tuple[str, ...]

    def of(self, *fates: Fate) -> list[TriedAttack]:
        return [attack for attack in self.tried if attack.fate in fates]


def count_of(found: Attacks) -> AttackCount:
    """Chances are the attempts that took theirs and came to an end."""
    return AttackCount(
        passed=len(found.of("succeeded")),
        total=len(found.tried),
        lucky=len(found.of("lucky")),
        chances=sum(attack.attempt.lucky and attack.trial is not None for attack in found.tried),
        calls=found.calls,
    )


def attacks(context: AuditContext) -> Attacks:
    """Let each attacker try, within the audit's budget of calls for each."""
    tried: list[TriedAttack] = []
    spent = 0
    for attacker in context.attackers:
        of_one, calls = _attacks_of(context, attacker)
        tried += of_one
        spent += calls
    return Attacks(tried, spent, tuple(attacker.name for attacker in context.attackers))


def _attacks_of(context: AuditContext, attacker: Attacker) -> tuple[list[TriedAttack], int]:
    budget, spent, tried = context.attack_calls, 0, list[TriedAttack]()
    for attempt in attacker.attempts(context.environment, context.task, budget=budget, seed=context.seed):
        cost = max(0, attempt.spent) + max(
            1, sum(isinstance(step, CallStep | SubmitStep) for step in attempt.program)
        )
        if spent + cost > budget:
            break
        spent += cost
        tried.append(_tried(context, attempt))
    return tried, spent


def _tried(context: AuditContext, attempt: Attempt) -> TriedAttack:
    run = _run(context, attempt.program)
    if not run.ok:
        return TriedAttack(attempt, "failed", None)
    judgement = context.judge(run.after, run.changes, run.submission)
    trial = Trial(_shown(attempt, run), judgement)
    return TriedAttack(attempt, _fate(context, attempt, run, judgement), trial)


def _run(context: AuditContext, program: Program) -> GoldRun:
    """A program after it ran. One that only hands in leaves the seed state as it is, so that no world is opened."""
    last = program[-1] if len(program) == 1 else None
    if not isinstance(last, SubmitStep):
        return context.run(program)
    given = last.submit.model_copy(update={"answer": resolve(last.submit.answer, {})})
    read = context.once(_submissions).read(given.model_dump())
    return GoldRun(
        steps=(),
        chosen=(),
        submission=given,
        changes=ChangeSet(),
        after=context.before,
        signature=context.seed_signature,
        failure=GoldFailure(0, read) if isinstance(read, str) else None,
    )


def _submissions(context: AuditContext) -> SubmissionReader:
    return SubmissionReader(context.task.verifier)


def _fate(context: AuditContext, attempt: Attempt, run: GoldRun, judgement: Judgement) -> Fate:
    if not judgement.passed:
        return "rejected"
    if run.signature != context.gold.signature and not spelled_otherwise(context, run):
        return "elsewhere" if judgement.goal else "succeeded"
    return "lucky" if attempt.lucky else "right"


def _shown(attempt: Attempt, run: GoldRun) -> dict[str, Any]:
    """For evidence: the calls as they were sent, and what was handed in."""
    submitted = run.submission.model_dump(mode="json", exclude_none=True) if run.submission else {}
    return {
        "attack": attempt.kind,
        "calls": [{"call": call.call, "args": call.args} for call in run.steps],
        "submit": submitted,
    }
