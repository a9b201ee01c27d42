"""The rules as a set."""

from __future__ import annotations

import importlib
import inspect

import pytest

from envolve.agents.critics.rules import findings_of_rule, rule_named, rule_names
from envolve.environments.package import Environment

from . import test_rules_of_guards, test_rules_of_rows, test_rules_of_siblings, test_rules_of_words
from .conftest import Review, Shop

_CASES = {
    **test_rules_of_guards.CASES,
    **test_rules_of_rows.CASES,
    **test_rules_of_siblings.CASES,
    **test_rules_of_words.CASES,
}


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_says_what_fault_it_stands_for(name: str) -> None:
    module = importlib.import_module(f"envolve.agents.critics.rules.{name}")
    assert name == module.KIND
    assert "Stands for" in (inspect.getdoc(module) or "")
    assert rule_named(name) is module.check


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_has_a_case_that_it_catches_and_one_that_it_must_not_flag(name: str) -> None:
    assert name in _CASES, f"add {name} to CASES of one of the neighbouring tests"
    fault, sound = _CASES[name]
    assert fault.strip()
    assert sound.strip()
    assert fault != sound


@pytest.mark.parametrize("rule", sorted(_CASES))
def test_fault_is_caught_and_confirmed(rule: str, review: Review) -> None:
    found = review(rule, _CASES[rule][0])
    assert found, rule
    assert all(finding.kind == rule for finding in found)
    assert any(finding.confirmed for finding in found)


@pytest.mark.parametrize("rule", sorted(_CASES))
def test_sound_tool_is_not_flagged(rule: str, review: Review) -> None:
    assert review(rule, _CASES[rule][1]) == []


def test_no_case_is_of_a_rule_that_is_gone() -> None:
    assert set(_CASES) <= set(rule_names())


def test_rules_are_at_least_eight_and_found_by_name() -> None:
    assert len(rule_names()) >= 8
    assert rule_named("no_such_rule") is None


def test_unknown_rule_finds_nothing(shop: Shop) -> None:
    environment: Environment = shop(
        '[{name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}]'
    )
    assert findings_of_rule(environment, "no_such_rule") == []
