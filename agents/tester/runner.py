"""All gates over one environment."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...environments.errors import PackageError
from ...environments.models import Finding
from ...environments.package import Environment
from .base import Gate, GateContext
from .fuzzing.campaign import Effort
from .gates import GATES
from .gates.coverage import figures_of
from .ordering import arranged
from .problems import findings_of
from .report import Coverage, GateRun, TestReport


def run_gates(
    environment: Environment, *, seed: int = 0, gates: Sequence[Gate] = GATES, effort: Effort | None = None
) -> TestReport:
    """Test an environment. Everything in the report but `seconds` depends on the environment, `seed` and `effort`
    alone. Findings with `confirmed` True come with a probe that reproduces them, wherever calls or the gate can.
    """
    context = GateContext(environment, seed=seed, effort=effort)
    found: list[Finding] = []
    runs: list[GateRun] = []
    seconds: dict[str, float] = {}
    for gate in gates:
        started = time.perf_counter()
        run, findings = _run(gate, context)
        seconds[gate.name] = time.perf_counter() - started
        found += findings
        runs.append(run)
    fuzzed = any(gate.name in ("fuzz", "invariants", "coverage") for gate in gates)
    return TestReport(
        environment=environment.id,
        seed=seed,
        findings=arranged(found),
        coverage=figures_of(context) if fuzzed else Coverage(),
        gates=tuple(runs),
        seconds=seconds,
    )


def _run(gate: Gate, context: GateContext) -> tuple[GateRun, list[Finding]]:
    try:
        findings = gate.run(context)
    except PackageError as error:  # a task's setup is only tried when the task is opened
        findings = list(findings_of(error))
    failed = any(finding.confirmed and finding.severity != "minor" for finding in findings)
    return GateRun(gate=gate.name, status="failed" if failed else "passed", findings=len(findings)), findings
