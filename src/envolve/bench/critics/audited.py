"""What the audit says of a package's tasks, as findings whose probe is the audit itself."""

from __future__ import annotations

from functools import lru_cache

from envolve.agents.tester import run_probe
from envolve.environments.models import AuditReport, Expectation, Finding, Probe, Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

_AUDIT = "audit."
_GRADE = f"{_AUDIT}disputed"


class Audits:
    """Audits of one package, each made once. Those of tasks that a copy shares with its original, in the same
    environment, are the original's."""

    def __init__(self, environment: Environment, seed: int, original: Audits | None = None) -> None:
        self._environment = environment
        self._seed = seed
        same = original is not None and original._environment.hash == environment.hash and original._seed == seed
        self._original = original if same else None
        self._kept: dict[str, AuditReport] = {}

    def report(self, task: Task) -> AuditReport:
        shared = self._original
        if shared is not None and shared._environment.tasks.get(task.id) == task:
            return shared.report(task)
        if task.id not in self._kept:
            self._kept[task.id] = audit(self._environment, task, seed=self._seed)
        return self._kept[task.id]

    def findings(self) -> list[Finding]:
        """One for each gate that a task fails, and one for a task that is disputed for another reason."""
        return [finding for task in self._environment.tasks.values() for finding in self._of(task)]

    def reproduces(self, finding: Finding) -> bool | None:
        """Whether a finding's probe fails in this package; None if it cannot be run there."""
        gate = _audit_gate(finding)
        if gate is None:
            result = run_probe(self._environment, finding)
            return result.reproduced if result.valid else None
        task = self._environment.tasks.get(finding.where.split(".")[1])
        return None if task is None else gate in _failed(self.report(task))

    def _of(self, task: Task) -> list[Finding]:
        report = self.report(task)
        return [
            Finding(
                kind=gate.replace(".", "_"),
                severity="major",
                where=f"tasks.{task.id}",
                message=message,
                source="gate:audit",
                probe=Probe(task=task.id, expect=(Expectation(gate=gate),)),
                confirmed=True,
            )
            for gate, message in _failed(report).items()
        ]


@lru_cache(maxsize=16)
def audits_of_original(environment: Environment, seed: int) -> Audits:
    """Kept from copy to copy: all copies of a sound environment hold the same one."""
    return Audits(environment, seed)


def _failed(report: AuditReport) -> dict[str, str]:
    """What went wrong, by gate; empty for a sound task."""
    failed = {f"{_AUDIT}{gate.gate}": gate.message for gate in report.gates if gate.status == "failed"}
    if not failed and report.grade != "sound":
        return {_GRADE: f"The task is {report.grade}."}
    return failed


def _audit_gate(finding: Finding) -> str | None:
    gates = [expected.gate for expected in finding.probe.expect if expected.gate] if finding.probe is not None else []
    return next((gate for gate in gates if gate.startswith(_AUDIT)), None)
