"""What the tester says of an environment: findings, what was covered, and how each gate went."""

from __future__ import annotations

from typing import Any, Literal

from ...environments.models import Finding, Frozen

GateState = Literal["passed", "failed", "not_run"]


class ToolCoverage(Frozen):
    """What testing did with one tool. `requires` are the places of its guards; `fired` those that refused a call."""

    tool: str
    calls: int = 0
    succeeded: int = 0
    changed: int = 0
    """Calls that changed rows."""
    requires: tuple[str, ...] = ()
    fired: tuple[str, ...] = ()


class Reach(Frozen):
    """How many of all were reached, and the places of those that were not."""

    reached: int = 0
    of: int = 0
    missed: tuple[str, ...] = ()


class Coverage(Frozen):
    """What was exercised: sequences and calls of the fuzzer, and each tool's share.

    `succeeding` counts tools that some call got through, `guards` those that refused a call, `statuses` the values of
    status columns that rows have or can get, `branches` arms of CASE, alternatives of guards, and optional parameters
    given and left out (each in a call that succeeded), `columns` those that some tool reads or writes. `schema_only`
    are the columns that no tool touches and that the schema or an invariant needs.
    """

    sequences: int = 0
    calls: int = 0
    tools: tuple[ToolCoverage, ...] = ()
    succeeding: Reach = Reach()
    guards: Reach = Reach()
    statuses: Reach = Reach()
    branches: Reach = Reach()
    columns: Reach = Reach()
    schema_only: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
    """Tools that no requirement needs and that are not marked as distractors."""

    @property
    def never_succeeded(self) -> tuple[str, ...]:
        """Tools that no call got through."""
        return tuple(tool.tool for tool in self.tools if not tool.succeeded)

    @property
    def never_fired(self) -> tuple[str, ...]:
        """Guards that refused no call."""
        return tuple(place for tool in self.tools for place in tool.requires if place not in tool.fired)


class GateRun(Frozen):
    """One gate: whether it ran, and how many findings it made. `message` says why it did not run."""

    gate: str
    status: GateState
    findings: int = 0
    message: str = ""


class TestReport(Frozen):
    """The tester's report. Everything but `seconds` is a function of the environment and the seed."""

    __test__ = False

    environment: str
    seed: int
    findings: tuple[Finding, ...] = ()
    coverage: Coverage = Coverage()
    gates: tuple[GateRun, ...] = ()
    seconds: dict[str, float] = {}
    """Wall time by gate; no part of any comparison."""

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """Confirmed findings, minor ones aside."""
        return tuple(finding for finding in self.findings if finding.confirmed and finding.severity != "minor")

    @property
    def passed(self) -> bool:
        return not self.blocking

    def compared(self) -> dict[str, Any]:
        """The report as JSON without what differs from run to run."""
        return self.model_dump(mode="json", exclude={"seconds"})
