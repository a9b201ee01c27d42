"""Panels reject when any critic does, and when one gives no proper answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.base import Dossier
from envolve.agents.critics import FAILED, Panel, as_critic, panel_of
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from .conftest import Shop


@pytest.fixture(scope="module")
def environment(shop: Shop) -> Environment:
    return shop('[{name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}]')


def _finding(kind: str, **given: Any) -> Finding:
    values: dict[str, Any] = {"severity": "major", "where": "tools.look", "message": "so", "source": "critic:x"}
    return Finding(kind=kind, **(values | given))


def _review(environment: Environment, *answers: Any) -> list[Finding]:
    critics = [as_critic(lambda dossier, answer=answer: answer, f"critic{i}") for i, answer in enumerate(answers)]
    return asyncio.run(Panel(critics).review(Dossier(environment, {})))


def test_any_critic_rejects(environment: Environment) -> None:
    found = _review(environment, [], [_finding("bad")], [_finding("worse", severity="blocker"), _finding("bad")])
    assert [finding.kind for finding in found] == ["worse", "bad"]


def test_critics_do_not_confirm_their_own_claims(environment: Environment) -> None:
    (found,) = _review(environment, [_finding("bad", confirmed=True, source="gate:fuzz")])
    assert found.confirmed is None
    assert found.source == "critic:critic0"


@pytest.mark.parametrize("answer", [None, "fine", {"findings": []}, ["fine"], 7])
def test_nonsense_is_a_blocking_finding(answer: Any, environment: Environment) -> None:
    (found,) = _review(environment, answer)
    assert (found.kind, found.severity, found.confirmed) == (FAILED, "blocker", True)


def test_a_critic_that_raises_is_a_blocking_finding(environment: Environment) -> None:
    def broken(dossier: Dossier) -> list[Finding]:
        raise RuntimeError("no more tokens")

    panel = Panel([as_critic(broken, "broken"), as_critic(lambda dossier: [_finding("bad")], "other")])
    found = asyncio.run(panel.review(Dossier(environment, {})))
    assert [finding.kind for finding in found] == [FAILED, "bad"]
    assert "no more tokens" in found[0].message


def test_panel_of_named_critics(environment: Environment) -> None:
    assert asyncio.run(panel_of(["rules"]).review(Dossier(environment, {}))) == []
