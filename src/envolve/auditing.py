"""Audits of packages' verifiers as data, as `envolve audit` tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from envolve.environments.canonical import canonical_json
from envolve.environments.models import AuditReport
from envolve.environments.models.audits import AttackCount
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.eval.audit.attacks import BUILT_IN, Attacker
from envolve.eval.audit.auditing import ATTACK_CALLS

OnTask = Callable[[str, int, int], None]
"""Told each task before it is audited: its id, its number from 1, and how many there are."""


def audit_environment(
    path: Path,
    *,
    seed: int,
    attackers: Sequence[Attacker] = (),
    attack_calls: int = ATTACK_CALLS,
    on_task: OnTask = lambda *_: None,
) -> Iterator[AuditReport]:
    """One report a task of the package. `attackers` attack besides those that come with Envolve, each within
    `attack_calls` tool calls. Errors: InputError, PackageError; those of attackers (ForeignError, or of a model)."""
    environment = Environment.load(path)
    for number, task in enumerate(environment.tasks.values(), 1):
        on_task(task.id, number, len(environment.tasks))
        yield audit(environment, task, seed=seed, attackers=(*BUILT_IN, *attackers), attack_calls=attack_calls)


def gates_with(report: AuditReport, status: str) -> list[str]:
    return [gate.gate for gate in report.gates if gate.status == status]


def not_run(reports: Sequence[AuditReport]) -> dict[str, list[str]]:
    """Why gates were not run: the reasons there are, each with its gates."""
    found = dict[str, list[str]]()
    for gate in (gate for report in reports for gate in report.gates if gate.status == "not_run"):
        names = found.setdefault(gate.message, [])
        if gate.gate not in names:
            names.append(gate.gate)
    return found


def failures_of(report: AuditReport) -> list[str]:
    """Why gates failed, each with its shortest reproducer."""
    return [
        f"{gate.gate}: {gate.message}{f': {reproducer(gate.evidence[0])}' if gate.evidence else ''}"
        for gate in report.gates
        if gate.status == "failed"
    ]


def reproducer(evidence: Mapping[str, Any]) -> str:
    """Evidence as a person reads it: calls that were made one after the other; anything else as JSON."""
    calls = evidence.get("calls")
    if not isinstance(calls, list) or not all(isinstance(call, dict) and "call" in call for call in calls):
        return canonical_json([evidence])
    made = [_call(call["call"], call.get("args", {})) for call in calls]
    rest = {name: value for name, value in evidence.items() if name not in ("calls", "submit", "kind", "attack")}
    told = [f"{name} {canonical_json(value)}" for name, value in rest.items()]
    submitted = evidence.get("submit")
    made += [_call("submit", submitted)] if isinstance(submitted, dict) else []
    kind = evidence.get("attack") or evidence.get("kind") or "calls"
    return "; ".join([f"{kind}: {', '.join(made)}", *told])


def _call(name: str, args: Mapping[str, Any]) -> str:
    """`cancel_order(order_id=12)`"""
    return f"{name}({', '.join(f'{key}={canonical_json(value)}' for key, value in args.items())})"


def report_json(report: AuditReport) -> dict[str, Any]:
    return {
        "environment": report.environment,
        "task": report.task,
        "grade": report.grade,
        "gates": {gate.gate: gate.model_dump(mode="json", exclude={"gate"}) for gate in report.gates},
        "null_passes": report.null_passes,
        "mutants": report.mutants.model_dump(mode="json"),
        "alternatives": report.alternatives.model_dump(mode="json"),
        "attacks": attacks_json(report.attacks),
    }


def attacks_json(count: AttackCount) -> dict[str, int]:
    """`guesses`: attempts that took their chances; `lucky`: those of them that passed where gold ends."""
    return {
        "succeeded": count.passed,
        "total": count.total,
        "lucky": count.lucky,
        "guesses": count.chances,
        "calls": count.calls,
    }


def summary_of(reports: Sequence[AuditReport]) -> dict[str, Any]:
    grades = Counter(report.grade for report in reports)
    attacks = [report.attacks for report in reports]
    mutants, paths = [report.mutants for report in reports], [report.alternatives for report in reports]
    return {
        "tasks": len(reports),
        "sound": grades["sound"],
        "grades": dict(sorted(grades.items())),
        "null_passes": sum(report.null_passes for report in reports),
        "mutants": {"killed": sum(m.killed for m in mutants), "total": sum(m.total for m in mutants)},
        "alternatives": {"passed": sum(p.passed for p in paths), "total": sum(p.total for p in paths)},
        "attacks": {"succeeded": sum(a.passed for a in attacks), "total": sum(a.total for a in attacks)},
    }
