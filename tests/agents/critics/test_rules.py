"""The rules as a set."""

from __future__ import annotations

import importlib
import inspect

import pytest

from envolve.agents.critics.rules import findings_of_rule, rule_named, rule_names
from envolve.environments.package import Environment

from .conftest import Shop


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_says_what_fault_it_stands_for(name: str) -> None:
    module = importlib.import_module(f"envolve.agents.critics.rules.{name}")
    assert name == module.KIND
    assert "Stands for" in (inspect.getdoc(module) or "")
    assert rule_named(name) is module.check


def test_rules_are_at_least_eight_and_found_by_name() -> None:
    assert len(rule_names()) >= 8
    assert rule_named("no_such_rule") is None


def test_unknown_rule_finds_nothing(shop: Shop) -> None:
    environment: Environment = shop(
        '[{name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}]'
    )
    assert findings_of_rule(environment, "no_such_rule") == []
