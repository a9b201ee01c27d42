"""Compile: what the loader lets pass and no caller would understand: parameters that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Finding
from ....environments.plans import Plan
from ..base import GateContext, static_finding

NAME = "compile"


class Compile:
    """The loader refuses SQL that does not prepare, names that are not bound, references to nothing and messages
    that name what may be unbound (see `findings_of`); this gate looks for the rest."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        return [finding for plan in context.environment.plans.values() for finding in _unused(plan)]


def _used(plan: Plan) -> set[str]:
    """Names that steps and result bind. Reference checks are left out: they look at every `ref` parameter."""
    results = [*plan.result.pages.values()] if plan.result is not None else []
    statements = [*(step.statement for step in plan.steps), *results]
    return {name for statement in statements for name in statement.names}


def _unused(plan: Plan) -> Iterator[Finding]:
    used = _used(plan)
    for name in plan.tool.params:
        if name not in used and f"given_{name}" not in used:
            message = f"{plan.tool.name} takes {name} and does nothing with it."
            yield static_finding(NAME, "parameter_unused", "major", f"tools.{plan.tool.name}.params.{name}", message)
