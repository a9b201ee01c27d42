"""Judges as people use them: a second opinion beside the verifier, and the bench that says what it is worth."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ..scripted_model import ScriptedModel
from .conftest import SAMPLE, Cli

MOVE = "move-the-anniversary-dinner"
MINE = '''
"""A judge of one's own."""

from envolve.agents.judges import Case, Judgement


def hasty(case: Case) -> Judgement:
    """Nobody needs more than six calls."""
    calls = [event for event in case.trace.events if event.kind == "call"]
    if len(calls) > 6:
        return Judgement(ruling="not_met", reason=f"{len(calls)} calls")
    return Judgement(ruling="cannot_tell", reason="few calls say nothing")


def confused(case):
    return "met"


number = 7
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_judges.py").write_text(MINE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_judges", raising=False)
    return "my_judges"


def test_rules_are_a_second_opinion_without_a_model(cli: Cli) -> None:
    done = cli("solve", SAMPLE, MOVE, "--solver", "null", "--judge", "rules")
    assert "  rules: not met" in done.out
    assert "rules agrees with the verifier on 1 of 1 (100%" in done.out
    assert "0 tokens, $0.00" in done.out
    assert "  rules: cannot tell" in cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", "rules").out


def test_several_judges_rule_side_by_side(cli: Cli, mine: str, model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: {"reason": "Nothing was moved.", "ruling": "not_met"})
    judges = ["--judge", "rules", "--judge", f"{mine}:hasty", "--judge", model_server.name]
    done = cli("solve", SAMPLE, MOVE, "--solver", "null", *judges)
    assert "rules: not met" in done.out
    assert "my_judges:hasty: cannot tell: few calls say nothing" in done.out
    assert f"{model_server.name}: not met: Nothing was moved." in done.out
    assert "Fleiss' kappa" in done.out
    (result,) = cli("solve", SAMPLE, MOVE, "--solver", "null", *judges, "--json").json["results"]
    assert [judge["name"] for judge in result["judges"]] == ["rules", f"{mine}:hasty", model_server.name]
    assert result["judge"] == result["judges"][0]
    assert result["between_judges"]["raters"] == 3


def test_a_judge_of_ones_own_that_does_not_answer_rules_nothing(cli: Cli, mine: str) -> None:
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", f"{mine}:confused")
    assert done.code == 0, done.err
    assert "my_judges:confused: no ruling" in done.out
    cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", f"{mine}:number").refused(2, "is no judge", "Judgement")


def test_what_exists_is_listed(cli: Cli) -> None:
    cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", "ruels").refused(2, "'ruels'", "rules", "module:attr")


def test_a_disagreement_names_the_remedy(cli: Cli, model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: {"reason": "The note was lost.", "ruling": "not_met"})
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", model_server.name)
    assert f"{MOVE}: 1 of 1 ruled otherwise" in done.out
    assert f"envolve audit {SAMPLE}" in done.out
    assert "envolve audit" not in cli("solve", SAMPLE, MOVE, "--solver", "null", "--judge", model_server.name).out


def test_the_bench_tells_how_good_a_judge_is(cli: Cli, mine: str) -> None:
    told = cli("bench", "judges", "--judge", "rules", "--judge", f"{mine}:hasty", "-n", 24, "--json").json
    assert {"bench", "rows", "machine", "seconds", "cases", "judges", "between_judges"} <= set(told)
    assert told["cases"]["met"] + told["cases"]["not_met"] == 24
    rules, hasty = told["judges"]
    assert rules["name"] == "rules"
    assert rules["false_alarms"]["count"] == 0
    assert rules["not_met"]["recall"]["count"] > 0
    assert rules["repeated"]["flips"]["count"] == 0
    assert hasty["not_met"]["precision"]["rate"] is None or hasty["not_met"]["precision"]["rate"] < 1
