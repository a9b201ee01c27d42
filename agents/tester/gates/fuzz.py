"""Fuzz: calls that end in internal errors, unforeseen constraints, half-done changes or misshapen results."""

from __future__ import annotations

from ....environments.models import Finding
from ..base import GateContext
from ..fuzzing.findings import sighted

NAME = "fuzz"


class Fuzz:
    """The symptoms of the campaign, but for broken invariants and leaks, which have gates of their own. A tool that
    no call got through is a doubt."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        campaign = context.campaign
        found = sighted(campaign, NAME, lambda symptom: symptom.kind not in ("invariant_broken", "result_leaks"))
        return [*found, *(_never(tool) for tool in campaign.tally.coverage().never_succeeded)]


def _never(tool: str) -> Finding:
    return Finding(
        kind="never_succeeds",
        severity="minor",
        where=f"tools.{tool}",
        message=f"No call of {tool} got through: its guards are at odds with the data, or it is hard to reach.",
        source=f"gate:{NAME}",
    )
