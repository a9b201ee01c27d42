"""Every gold call is allowed to the actor."""

from __future__ import annotations

from typing import Any

from ....environments.models import CallStep, GateResult
from ..base import AuditContext, shortest


def gate(context: AuditContext) -> GateResult:
    refused = [*_not_offered(context), *_forbidden(context)]
    if refused:
        return GateResult(
            gate="permission", status="failed", message=refused[0]["problem"], evidence=shortest(refused)
        )
    return GateResult(gate="permission", status="passed")


def _not_offered(context: AuditContext) -> list[dict[str, Any]]:
    """Calls of tools that the actor's roles do not admit."""
    actor, plans = context.task.actor, context.environment.plans
    return [
        {"problem": f"{step.call} is not for {', '.join(actor.roles)}", "step": index, "call": step.call}
        for index, step in enumerate(context.task.gold)
        if isinstance(step, CallStep) and step.call in plans and not plans[step.call].admits(actor.roles)
    ]


def _forbidden(context: AuditContext) -> list[dict[str, Any]]:
    """Calls that were answered with `forbidden`."""
    return [
        {"problem": call.result.error.message, "step": call.step, "call": call.call, "args": call.args}
        for call in context.gold.steps
        if call.result.error is not None and call.result.error.code == "forbidden"
    ]
