"""Audits of packages' verifiers as data, as `envolve audit` tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from envolve.environments.canonical import canonical_json
from envolve.environments.models import AuditReport
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.eval.audit.attacks import Attacker


def audit_environment(path: Path, *, seed: int, attackers: Sequence[Attacker] = ()) -> Iterator[AuditReport]:
    """One report a task of the package. Errors: InputError, PackageError; those of attackers."""
    environment = Environment.load(path)
    for task in environment.tasks.values():
        yield audit(environment, task, seed=seed, attackers=attackers)


def gates_with(report: AuditReport, status: str) -> list[str]:
    return [gate.gate for gate in report.gates if gate.status == status]


def failures_of(report: AuditReport) -> list[str]:
    """Why gates failed, each with its shortest reproducer."""
    return [
        f"{gate.gate}: {gate.message} {canonical_json(list(gate.evidence[:1])) if gate.evidence else ''}".strip()
        for gate in report.gates
        if gate.status == "failed"
    ]


def report_json(report: AuditReport) -> dict[str, Any]:
    return {
        "environment": report.environment,
        "task": report.task,
        "grade": report.grade,
        "gates": {gate.gate: gate.model_dump(mode="json", exclude={"gate"}) for gate in report.gates},
        "null_passes": report.null_passes,
        "mutants": report.mutants.model_dump(mode="json"),
        "alternatives": report.alternatives.model_dump(mode="json"),
        "attacks": {"succeeded": report.attacks.passed, "total": report.attacks.total},
    }


def summary_of(reports: Sequence[AuditReport]) -> dict[str, Any]:
    grades = Counter(report.grade for report in reports)
    mutants, paths = [report.mutants for report in reports], [report.alternatives for report in reports]
    return {
        "tasks": len(reports),
        "sound": grades["sound"],
        "grades": dict(sorted(grades.items())),
        "null_passes": sum(report.null_passes for report in reports),
        "mutants": {"killed": sum(m.killed for m in mutants), "total": sum(m.total for m in mutants)},
        "alternatives": {"passed": sum(p.passed for p in paths), "total": sum(p.total for p in paths)},
    }
