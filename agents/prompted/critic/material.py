"""What a reviewer is shown for an aspect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ....environments.package import Environment
from ....environments.writing import model_yaml
from ...base import Dossier
from ..clipping import clipped, lines_within, one_line
from ..showing import policy_text, requirements_text, rows_text, schema_text, world_text
from .aspects import Aspect, Shown

_MOST_TOOLS = 80_000
_MOST_TASKS = 30_000
_MOST_ROWS = 15
"""Of each table: probes need ids that exist."""
_MOST_EVIDENCE = 6_000
_NO_NEWS = {"passed"}


def material(dossier: Dossier, aspect: Aspect) -> list[tuple[str, str]]:
    """Titles and texts, those that all aspects share first: what a provider keeps of a prompt's beginning is then
    used by all of them."""
    environment = dossier.environment
    shared = [
        ("World", world_text(environment)),
        ("Policy and glossary", policy_text(environment)),
        ("Schema", schema_text(environment)),
        ("Invariants, each a query that must return no row", _invariants(environment)),
        ("Tools", lines_within(model_yaml(environment.tools_file).splitlines(), _MOST_TOOLS)),
        ("Rows of the seed state", rows_text(environment, most=_MOST_ROWS)),
    ]
    return [*shared, *((title, text) for name in aspect.shows for title, text in [_SHOWN[name](dossier)] if text)]


def _requirements(dossier: Dossier) -> tuple[str, str]:
    return "What people want to do", requirements_text(dossier.environment)


def _invariants(environment: Environment) -> str:
    lines = (f"- {rule.name}: {one_line(rule.sql)}" for rule in environment.spec.invariants)
    return lines_within(lines, _MOST_EVIDENCE) or "(none)"


def _tasks(dossier: Dossier) -> tuple[str, str]:
    lines = (line for task in dossier.environment.tasks.values() for line in model_yaml(task).splitlines())
    return "Tasks", lines_within(lines, _MOST_TASKS)


def _evidence(dossier: Dossier) -> tuple[str, str]:
    return "What testing has shown so far", lines_within(_said(dossier.evidence), _MOST_EVIDENCE)


def _said(evidence: dict[str, Any]) -> Iterator[str]:
    """The tester's findings, which need no second report, and what it never got to work."""
    for finding in evidence.get("findings", ()):
        yield clipped(one_line(f"- {finding['where']}: {finding['message']} ({finding['kind']})"), 300)
    for gate in evidence.get("gates", ()):
        if gate["status"] not in _NO_NEWS:
            yield f"- gate {gate['gate']}: {gate['status']} {gate['message']}".rstrip()
    for tool in evidence.get("coverage", {}).get("tools", ()):
        if not tool["succeeded"]:
            yield f"- {tool['tool']}: none of {tool['calls']} calls succeeded"


_SHOWN: dict[Shown, Callable[[Dossier], tuple[str, str]]] = {
    "requirements": _requirements,
    "tasks": _tasks,
    "evidence": _evidence,
}
