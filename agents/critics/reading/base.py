"""What a rule gets and gives.

A rule is a module of this folder with a function `check(context)`; the module's name is the kind of its findings.
Its docstring says what real fault it stands for. A finding whose fact alone is a fault, or words that calls have
belied, carries a probe that runs the rule again; one about what a tool does carries the calls that show it. One that
nothing bears out has no probe: it is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from ....environments.models import Expectation, Finding, Probe
from ....environments.models.findings import Severity
from ...tester.anatomy import Anatomy
from ...tester.probes import run_probe
from ...tester.trials import Trials

SOURCE = "critic:rules"


class Context:
    """An environment taken apart, and trial calls in it. Use from one thread."""

    def __init__(self, anatomy: Anatomy, trials: Trials) -> None:
        self.anatomy = anatomy
        self.trials = trials


class Rule(Protocol):
    def __call__(self, context: Context) -> Iterator[Finding]: ...


def finding(
    kind: str,
    severity: Severity,
    where: str,
    message: str,
    *,
    probe: Probe | None = None,
    **evidence: Any,
) -> Finding:
    """A finding of the rules critic; without probe it is a doubt."""
    return Finding(
        kind=kind, severity=severity, where=where, message=message, source=SOURCE, evidence=evidence, probe=probe
    )


def shown(context: Context, kind: str, calls: Probe | None) -> Probe | None:
    """A probe for a claim about words that `calls` bear out when run: the rule again, which makes such calls itself.
    None, a doubt, if no calls could be made or they show nothing. Calls alone could not tell wrong words from wrong
    SQL."""
    bears_out = calls is not None and run_probe(context.anatomy.environment, calls).reproduced
    return again(kind) if bears_out else None


def again(kind: str) -> Probe:
    """A probe for what the package's text alone shows: the rule looks once more at the finding's place."""
    return Probe(expect=(Expectation(gate=f"rules.{kind}"),))
