"""Fuzz: calls that end in internal errors, unforeseen constraints, half-done changes or misshapen results."""

from __future__ import annotations

from ....environments.models import Finding
from ..base import GateContext
from ..fuzzing.findings import sighted
from .invariants import KINDS as INVARIANTS

NAME = "fuzz"


class Fuzz:
    """The symptoms of the campaign, but for broken invariants and leaks, which have gates of their own."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        return sighted(context.campaign, NAME, lambda symptom: symptom.kind not in (*INVARIANTS, "result_leaks"))
