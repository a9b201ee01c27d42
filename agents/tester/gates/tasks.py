"""Tasks: first tasks whose gold does not execute, or whose audit shows that a tool is at fault."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.gold import GoldRun, run_gold
from ....environments.models import AuditReport, CallStep, Finding, Task
from ....environments.package import Environment
from ..base import GateContext, static_finding

NAME = "tasks"
_TOOLS_FAULT = ("internal", "limit_exceeded")


class Tasks:
    """Runs the gold of every task that the environment holds; audits are handed to `task_findings` by whoever made
    them."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        environment = context.environment
        return [
            finding
            for task in environment.tasks.values()
            if task.gold
            for finding in task_findings(environment, task, run_gold(environment, task))
        ]


def task_findings(
    environment: Environment, task: Task, run: GoldRun, report: AuditReport | None = None
) -> list[Finding]:
    """What the execution of a task's gold, and its audit if there is one, say against the environment's tools."""
    found = list(_execution(task, run))
    if report is not None:
        found += _audit(task, report)
    return found


def _execution(task: Task, run: GoldRun) -> Iterator[Finding]:
    if run.failure is None:
        return
    where = f"tasks.{task.id}.gold.{run.failure.step}"
    message = f"Step {run.failure.step} of gold fails: {run.failure.message}"
    yield static_finding(NAME, "gold_fails", "major", where, message)
    last = run.steps[-1] if run.steps else None
    error = last.result.error if last is not None else None
    if last is not None and error is not None and error.code in _TOOLS_FAULT:
        message = f"{last.call} fails with {error.code}: {last.result.detail or error.message}"
        yield static_finding(NAME, "tool_fails_in_gold", "blocker", f"tools.{last.call}", message, task=task.id)


def _audit(task: Task, report: AuditReport) -> Iterator[Finding]:
    """Gates of the audit that no better verifier could pass: two runs of gold that differ, calls that the actor may
    not make."""
    called = sorted({step.call for step in task.gold if isinstance(step, CallStep)})
    for name in ("gold", "permission"):
        failed = next((gate for gate in report.gates if gate.gate == name and gate.status == "failed"), None)
        if failed is not None:
            yield Finding(
                kind=f"audit_{name}",
                severity="major",
                where=f"tasks.{task.id}.gold",
                message=f"The audit's gate {name} fails: {failed.message}",
                source=f"gate:{NAME}",
                evidence={"tools": called, "reproducers": list(failed.evidence)},
            )
