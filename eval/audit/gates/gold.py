"""Gold passes, twice, with ≈ states and equal answers; and random codes decide nothing: in a world of other codes it
ends ≈ as well, with the same answer or one that is right there."""

from __future__ import annotations

from typing import Any

from ....environments.gold import GoldRun
from ....environments.models import GateResult
from ..base import AuditContext, shortest

OTHER_SEED = 1


def gate(context: AuditContext) -> GateResult:
    first = context.gold
    failure = _failure(context, first, "gold")
    if failure is None:
        second = context.run_afresh(context.task.gold)
        if (first.signature, first.submission) != (second.signature, second.submission):
            failure = {"problem": "a second run ends in another state or with another answer"}
    if failure is None:
        failure = _other_world(context, first)
    if failure is not None:
        return GateResult(gate="gold", status="failed", message=failure["problem"], evidence=shortest([failure]))
    return GateResult(gate="gold", status="passed", message=f"{first.calls} calls, twice the same")


def _failure(context: AuditContext, run: GoldRun, name: str) -> dict[str, Any] | None:
    if run.failure is not None:
        return {
            "problem": f"{name} fails at step {run.failure.step}: {run.failure.message}",
            "step": run.failure.step,
        }
    judgement = context.judge(run.after, run.changes, run.submission)
    if judgement.passed:
        return None
    verdict = judgement.verdict
    return {
        "problem": f"{name} is judged {verdict.outcome}",
        "failed": [f"{check.name}: {check.detail}".removesuffix(": ") for check in verdict.checks if not check.holds],
        "unallowed": list(verdict.unallowed),
        **({"message": verdict.message} if verdict.message else {}),
    }


def _other_world(context: AuditContext, first: GoldRun) -> dict[str, Any] | None:
    other = context.run(context.task.gold, seed=OTHER_SEED)
    if other.failure is not None:
        return {"problem": f"gold fails in a world of other random codes: {other.failure.message}"}
    if other.signature != first.signature:
        return {"problem": "the end state depends on random codes: declare their columns as code"}
    if other.submission == first.submission:
        return None
    checks = context.judge(other.after, other.changes, other.submission).verdict.checks
    if all(check.holds for check in checks if check.name == "answer"):
        return None
    return {"problem": "the answer depends on random codes, and is right in one world only"}
