"""What a gate gets and gives."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

from ...environments.models import Expectation, Finding, Probe
from ...environments.models.findings import Severity
from ...environments.package import Environment
from .anatomy import Anatomy
from .fuzzing.campaign import Campaign, Effort


class GateContext:
    """What gates share over one environment. Use from one thread."""

    def __init__(self, environment: Environment, *, seed: int = 0, effort: Effort | None = None) -> None:
        self.environment = environment
        self.seed = seed
        self._effort = effort

    @cached_property
    def anatomy(self) -> Anatomy:
        return Anatomy(self.environment)

    @cached_property
    def campaign(self) -> Campaign:
        """The fuzzing that all gates look at, run when first asked for."""
        campaign = Campaign(self.anatomy, seed=self.seed, effort=self._effort)
        campaign.run()
        return campaign


class Gate(Protocol):
    """One check of an environment. Findings that it cannot prove have no probe and `confirmed` None."""

    @property
    def name(self) -> str: ...

    def run(self, context: GateContext) -> list[Finding]: ...


def static_finding(
    gate: str, kind: str, severity: Severity, where: str, message: str, *, certain: bool = True, **evidence: Any
) -> Finding:
    """A finding that the package's text or seed shows; its probe runs the gate again."""
    return Finding(
        kind=kind,
        severity=severity,
        where=where,
        message=message,
        source=f"gate:{gate}",
        evidence=evidence,
        probe=Probe(expect=(Expectation(gate=gate),)) if certain else None,
        confirmed=True if certain else None,
    )
