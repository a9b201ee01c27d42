"""The rules critic: static checks on the tools' SQL trees, one module each.

Every module of this folder is a rule: its name is the kind of its findings, its docstring says what real fault it
stands for, and its `check(context)` yields them. A rule that rests on words makes trial calls to show what it
claims; the tester runs the probes, as it does for every critic.
"""

from __future__ import annotations

import importlib
import pkgutil

from ....environments.models import Finding
from ....environments.package import Environment
from ...tester.anatomy import Anatomy
from ...tester.trials import Trials
from ..reading.base import Context, Rule


def rule_names() -> tuple[str, ...]:
    """All rules, in name order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def rule_named(name: str) -> Rule | None:
    """A rule by name; None if there is none of this name."""
    if name not in rule_names():
        return None
    rule: Rule = importlib.import_module(f"{__name__}.{name}").check
    return rule


def findings_of_rule(environment: Environment, name: str, *, seed: int = 0) -> list[Finding]:
    """What one rule says of an environment; nothing for a rule that does not exist."""
    rule = rule_named(name)
    return list(rule(context_of(environment, seed=seed))) if rule is not None else []


def context_of(environment: Environment, *, seed: int = 0) -> Context:
    """An environment made ready for rules."""
    anatomy = Anatomy(environment)
    return Context(anatomy, Trials(anatomy, seed))
