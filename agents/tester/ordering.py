"""Findings in the order people want to read them, each once."""

from __future__ import annotations

from collections.abc import Iterable

from ...environments.models import Finding

_RANK = {"blocker": 0, "major": 1, "minor": 2}


def arranged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by severity, then place and kind; of those with the same kind and place, the first."""
    once: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        once.setdefault((finding.kind, finding.where), finding)
    return tuple(sorted(once.values(), key=lambda finding: (_RANK[finding.severity], finding.where, finding.kind)))
