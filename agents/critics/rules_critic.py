"""The critic called `rules`."""

from __future__ import annotations

from ...environments.models import Finding
from ..base import Dossier
from ..tester.ordering import arranged
from .rules import context_of, rule_named, rule_names


class RulesCritic:
    """Runs every rule. Needs no model; the same environment gives the same findings."""

    name = "rules"

    async def review(self, dossier: Dossier) -> list[Finding]:
        context = context_of(dossier.environment)
        rules = [rule for name in rule_names() if (rule := rule_named(name)) is not None]
        return list(arranged(finding for rule in rules for finding in rule(context)))
