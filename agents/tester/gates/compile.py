"""Compile: what the loader lets pass and no caller would understand: parameters that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Finding
from ....environments.resolution import ResolvedTool
from ..base import GateContext, static_finding

NAME = "compile"


class Compile:
    """The loader refuses SQL that does not prepare, names that are not bound, references to nothing and messages
    that name what may be unbound (see `findings_of`); this gate looks for the rest."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        environment = context.environment
        found: list[Finding] = []
        for tool in environment.tools.values():
            used = {name for statement in environment.plans[tool.name].statements for name in statement.names}
            found += _unused(tool, _steps_names(context, tool) | used)
        return found


def _steps_names(context: GateContext, tool: ResolvedTool) -> set[str]:
    """Names that the tool's own queries bind, reference checks left out: those look at every `ref` parameter."""
    return {name for query in context.anatomy.queries[tool.name] for name in query.names}


def _unused(tool: ResolvedTool, used: set[str]) -> Iterator[Finding]:
    for name in tool.params:
        if name not in used and f"given_{name}" not in used:
            message = f"{tool.name} takes {name} and does nothing with it."
            yield static_finding(NAME, "parameter_unused", "major", f"tools.{tool.name}.params.{name}", message)
