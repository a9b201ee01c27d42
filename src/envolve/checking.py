"""Tester and critics on one package, as `envolve check` tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from envolve.agents.base import Dossier
from envolve.agents.critics import FAILED, Panel, panel_of
from envolve.agents.tester import Coverage, Reach, TestReport, confirm, run_gates
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from .probe_texts import Shown, shown

_ORDER = {"blocker": 0, "major": 1, "minor": 2}
_MISSED = 4


class Told(NamedTuple):
    """A finding, and its probe in words if it has one."""

    finding: Finding
    probe: Shown | None


class Checked(NamedTuple):
    """`told`: confirmed findings first, the worst first; then doubts."""

    environment: str
    path: Path
    told: tuple[Told, ...]
    report: TestReport

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(each.finding for each in self.told)

    @property
    def confirmed(self) -> tuple[Told, ...]:
        """What is the matter with the environment."""
        return tuple(each for each in self.told if each.finding.confirmed and each.finding.kind != FAILED)

    @property
    def silent(self) -> tuple[Finding, ...]:
        """The critics that gave no answer, each as the finding that blocks in its place."""
        return tuple(finding for finding in self.findings if finding.confirmed and finding.kind == FAILED)

    @property
    def doubts(self) -> tuple[Told, ...]:
        """Claims that no probe bears out: refuted, without a probe, or with one that cannot be run."""
        return tuple(each for each in self.told if not each.finding.confirmed)

    @property
    def blocking(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.confirmed and finding.severity != "minor")

    @property
    def blocked(self) -> bool:
        return bool(self.blocking)

    def as_json(self) -> dict[str, Any]:
        """`findings` carry what their probes expected and what came; `doubts` counts those not confirmed."""
        return {
            "environment": self.environment,
            "findings": [finding_json(each, self.environment) for each in self.told],
            "doubts": len(self.doubts),
            "blocking": len(self.blocking),
            "gates": [gate.model_dump(mode="json") for gate in self.report.gates],
            "coverage": self.report.coverage.model_dump(mode="json"),
        }


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """What was reached of all, a line for what was run and one for each kind of place of which some were missed."""
    reached = (
        (coverage.succeeding, "tools succeeded", "never succeeded"),
        (coverage.guards, "guards refused a call", "never refused"),
        (coverage.branches, "branches were taken", "never taken"),
        (coverage.statuses, "statuses can be reached", "cannot be reached"),
    )
    said = ", ".join(f"{reach.reached} of {reach.of} {what}" for reach, what, _ in reached if reach.of)
    yield f"{coverage.calls} calls in {coverage.sequences} sequences; {said}"
    yield from (f"  {missed}: {_places(reach)}" for reach, _, missed in reached if reach.missed)


def _places(reach: Reach) -> str:
    more = len(reach.missed) - _MISSED
    return ", ".join(reach.missed[:_MISSED]) + (f" and {more} more" if more > 0 else "")


def finding_json(told: Told, environment: str) -> dict[str, Any]:
    probe = told.probe
    return told.finding.model_dump(mode="json", by_alias=True, exclude={"evidence"}) | {
        "environment": environment,
        "expected": probe.expected if probe is not None else None,
        "came": probe.came if probe is not None else None,
        "script": list(probe.script) if probe is not None and probe.script else None,
    }


async def check_environment(path: Path, *, critics: tuple[str, ...], seed: int) -> Checked:
    """All gates, then the critics, whose probes are run. Errors: InputError, PackageError."""
    panel = panel_of(list(critics))
    return await check_built(Environment.load(path), panel, seed=seed, path=path)


async def check_built(environment: Environment, panel: Panel, *, seed: int, path: Path | None = None) -> Checked:
    """The same for an environment that is at hand; `path` is where it lies, by default a folder of its name."""
    report = run_gates(environment, seed=seed)
    claims = await panel.review(Dossier(environment, report.compared()))
    found = sorted((*report.findings, *confirm(environment, claims)), key=_rank)
    told = tuple(Told(finding, shown(environment, finding)) for finding in found)
    return Checked(environment.id, path or Path(environment.id), told, report)


def _rank(finding: Finding) -> tuple[bool, int, str, str]:
    return (not finding.confirmed, _ORDER[finding.severity], finding.where, finding.kind)
