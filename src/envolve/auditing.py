"""Audits of a package's verifiers, as `envolve audit` shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from envolve.environments.canonical import canonical_json
from envolve.environments.models import AuditReport
from envolve.environments.package import Environment
from envolve.eval.audit import audit


class Audited(NamedTuple):
    """A report with what its table needs."""

    report: AuditReport

    @property
    def environment(self) -> str:
        return self.report.environment

    @property
    def task(self) -> str:
        return self.report.task

    @property
    def grade(self) -> str:
        return self.report.grade

    @property
    def failed(self) -> str:
        return ", ".join(gate.gate for gate in self.report.gates if gate.status == "failed")

    @property
    def not_run(self) -> str:
        return ", ".join(gate.gate for gate in self.report.gates if gate.status == "not_run")

    @property
    def killed(self) -> int:
        return self.report.mutants.killed

    @property
    def mutants(self) -> int:
        return self.report.mutants.total

    @property
    def accepted(self) -> int:
        return self.report.alternatives.passed

    @property
    def alternatives(self) -> int:
        return self.report.alternatives.total

    @property
    def evidence(self) -> list[str]:
        """Why gates failed, with their shortest reproducers."""
        return [
            f"{gate.gate}: {gate.message} {canonical_json(list(gate.evidence[:1])) if gate.evidence else ''}".strip()
            for gate in self.report.gates
            if gate.status == "failed"
        ]

    def as_json(self) -> dict[str, Any]:
        report = self.report
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


def audit_environment(path: Path, *, seed: int) -> list[Audited]:
    """Every task of a package. Errors: InputError, PackageError."""
    environment = Environment.load(path)
    return [Audited(audit(environment, task, seed=seed)) for task in environment.tasks.values()]


def summary_of(reports: Sequence[Audited]) -> dict[str, Any]:
    grades = Counter(report.grade for report in reports)
    return {
        "tasks": len(reports),
        "sound": grades["sound"],
        "grades": dict(sorted(grades.items())),
        "null_passes": sum(report.report.null_passes for report in reports),
        "mutants": {"killed": sum(r.killed for r in reports), "total": sum(r.mutants for r in reports)},
        "alternatives": {"passed": sum(r.accepted for r in reports), "total": sum(r.alternatives for r in reports)},
    }
