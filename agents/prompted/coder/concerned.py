"""What findings concern: the tools, tables and rows that a repair has to see, and no others."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ....environments.canonical import canonical_json
from ....environments.models import Finding
from ....environments.package import Environment
from ..clipping import clipped, one_line
from ..showing import rows_text
from .patching import tool_json

_RANK = {"blocker": 0, "major": 1, "minor": 2}
MOST_FINDINGS = 12
_MOST_TOOLS = 12
_LONGEST_EVIDENCE = 700
_MOST_ALIKE = 5
_LONGEST_DESCRIPTION = 160
_MOST_ROWS = 12
_WORD = re.compile(r"\w+")


class Concerned(NamedTuple):
    """As text for a prompt."""

    findings: tuple[str, ...]
    tools: tuple[str, ...]
    others: tuple[str, ...]
    """Tools that are not shown: name and description."""
    schema: tuple[str, ...]
    rows: str
    invariants: tuple[str, ...]


def most_severe(findings: Sequence[Finding]) -> list[Finding]:
    """The findings to mend now: the most severe first, confirmed ones before doubts."""
    ordered = sorted(findings, key=lambda finding: (_RANK[finding.severity], finding.confirmed is not True))
    return ordered[:MOST_FINDINGS]


def concerned(environment: Environment, findings: Sequence[Finding]) -> Concerned:
    tools = _tools(environment, findings)
    tables = _tables(environment, findings, tools)
    alike = _alike(environment, tools)
    shown = {*tables, *(target for name in tables for target in _targets(environment, name))}
    info = environment.tables()
    return Concerned(
        findings=tuple(_finding(finding) for finding in findings),
        tools=tuple(canonical_json(tool_json(environment.tools[name])) for name in (*tools, *alike)),
        others=tuple(
            f"{name}: {clipped(one_line(tool.description), _LONGEST_DESCRIPTION)}"
            for name, tool in environment.tools.items()
            if name not in tools and name not in alike
        ),
        schema=tuple(info[name].sql + ";" for name in info if name in shown),
        rows=rows_text(environment, tables, _MOST_ROWS),
        invariants=tuple(
            f"{rule.name}: {one_line(rule.sql)}"
            for rule in environment.spec.invariants
            if set(_WORD.findall(rule.sql)) & tables
        ),
    )


def _tools(environment: Environment, findings: Sequence[Finding]) -> list[str]:
    """Named by a finding's place first, then those that probes call, then those whose names its message has."""
    named: list[str] = []
    for finding in findings:
        named += finding.where.split(".")[1:2] if finding.where.startswith("tools.") else []
        named += [call.call for call in finding.probe.calls] if finding.probe else []
        named += _WORD.findall(finding.message)
    for finding in findings:
        if finding.where.startswith("shared."):
            place = ".".join(finding.where.split(".")[:3])
            named += [
                name for name, tool in environment.tools.items() if any(p.startswith(place) for p in tool.places)
            ]
    return [name for name in dict.fromkeys(named) if name in environment.tools][:_MOST_TOOLS]


def _alike(environment: Environment, tools: Sequence[str]) -> list[str]:
    """Other tools that write the same columns: what is wrong in one is likely to be wrong in them."""
    written = {
        name: {write for each in plan.statements for write in each.writes} for name, plan in environment.plans.items()
    }
    own = {write for name in tools for write in written[name]}
    common = {name: len(own & writes) for name, writes in written.items() if name not in tools and own & writes}
    room = min(_MOST_ALIKE, _MOST_TOOLS - len(tools))
    return sorted(common, key=lambda name: -common[name])[: max(0, room)]


def _tables(environment: Environment, findings: Sequence[Finding], tools: Collection[str]) -> set[str]:
    """Those that places, messages and the invariants in them name, and those that the tools read or write."""
    info = environment.tables()
    texts = [text for finding in findings for text in (finding.where, finding.message)]
    for index, rule in enumerate(environment.spec.invariants):
        if any(rule.name in text or text == f"environment.invariants.{index}" for text in texts):
            texts.append(rule.sql)
    words = {word for text in texts for word in _WORD.findall(text)}
    named = {name for name in info if name in words}
    for name in tools:
        for statement in environment.plans[name].statements:
            named |= {table for table, _ in statement.reads} | {write.table for write in statement.writes}
    return {name for name in named if name in info}


def _targets(environment: Environment, table: str) -> set[str]:
    return {reference.table for reference in environment.tables()[table].references}


def _finding(finding: Finding) -> str:
    parts = [f"{finding.severity}, {finding.kind}, at {finding.where}: {one_line(finding.message)}"]
    if finding.evidence:
        parts.append(f"Evidence: {clipped(canonical_json(finding.evidence), _LONGEST_EVIDENCE)}")
    if finding.probe is not None and finding.probe.calls:
        probe = finding.probe.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        parts.append(f"Probe (calls, then what should hold): {clipped(canonical_json(probe), _LONGEST_EVIDENCE)}")
    return "\n   ".join(parts)
