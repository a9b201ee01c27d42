"""Static findings again: a gate, or a rule of the rules critic, looks once more at a finding's place."""

from __future__ import annotations

from ...environments.errors import InputError
from ...environments.models import Finding
from ...environments.package import Environment
from .base import GateContext
from .gates import GATES, gate_named

_RULES = "rules."


def shows_again(environment: Environment, name: str, finding: Finding | None, seed: int) -> bool:
    """Whether the gate `name` reports a finding of the same kind at the same place (any finding, without one to
    compare with). Raises InputError for a gate that does not exist."""
    found = _findings(environment, name, seed)
    if finding is None:
        return bool(found)
    return any(again.kind == finding.kind and again.where == finding.where for again in found)


def _findings(environment: Environment, name: str, seed: int) -> list[Finding]:
    if name.startswith(_RULES):
        # Imported here: the rules stand on the tester.
        from ..critics.rules import findings_of_rule

        return findings_of_rule(environment, name.removeprefix(_RULES), seed=seed)
    gate = gate_named(name)
    if gate is None:
        raise InputError(f"There is no gate {name!r}.", remedy=f"Gates: {', '.join(gate.name for gate in GATES)}.")
    return gate.run(GateContext(environment, seed=seed))
