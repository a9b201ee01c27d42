"""Tester and critics on one package, as `envolve check` tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from envolve.agents.base import Dossier
from envolve.agents.critics import Panel, panel_of
from envolve.agents.tester import TestReport, confirm, run_gates
from envolve.environments.models import Finding
from envolve.environments.package import Environment

_ORDER = {"blocker": 0, "major": 1, "minor": 2}


class Checked(NamedTuple):
    """`findings`: confirmed ones first, the worst first."""

    environment: str
    findings: tuple[Finding, ...]
    report: TestReport

    @property
    def blocking(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.confirmed and finding.severity != "minor")

    @property
    def blocked(self) -> bool:
        return bool(self.blocking)

    @property
    def coverage_line(self) -> str:
        coverage = self.report.coverage
        reached = sum(1 for tool in coverage.tools if tool.succeeded)
        guards = sum(len(tool.requires) for tool in coverage.tools)
        fired = sum(len(tool.fired) for tool in coverage.tools)
        return (
            f"{coverage.calls} calls in {coverage.sequences} sequences; {reached} of {len(coverage.tools)} tools"
            f" succeeded, {fired} of {guards} guards refused a call"
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "environment": self.environment,
            "findings": [finding_json(finding, self.environment) for finding in self.findings],
            "coverage": self.report.coverage.model_dump(mode="json"),
        }


def finding_json(finding: Finding, environment: str) -> dict[str, Any]:
    return finding.model_dump(mode="json", by_alias=True, exclude={"evidence"}) | {"environment": environment}


async def check_environment(path: Path, *, critics: tuple[str, ...], seed: int) -> Checked:
    """All gates, then the critics, whose probes are run. Errors: InputError, PackageError."""
    panel = panel_of(list(critics))
    return await check_built(Environment.load(path), panel, seed=seed)


async def check_built(environment: Environment, panel: Panel, *, seed: int) -> Checked:
    """The same for an environment that is at hand."""
    report = run_gates(environment, seed=seed)
    claims = await panel.review(Dossier(environment, report.compared()))
    found = (*report.findings, *confirm(environment, claims))
    return Checked(environment.id, tuple(sorted(found, key=_rank)), report)


def _rank(finding: Finding) -> tuple[bool, int, str, str]:
    return (not finding.confirmed, _ORDER[finding.severity], finding.kind, finding.where)
