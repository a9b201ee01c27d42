"""`envolve bench verifiers`, on one small world."""

from __future__ import annotations

import pytest

from envolve.bench.verifiers.figures import operator_rows, verdict_figures, wrong_verdicts
from envolve.bench.verifiers.measuring import EnvironmentResult, task_result
from envolve.cli.bench.verifiers import _show_wrong
from envolve.environments import Environment

from .conftest import SAMPLE, Cli

SMALL = ("--environments", 1, "--tasks", 3, "--seed", 7)


def test_verdicts_are_held_against_labels(cli: Cli) -> None:
    told = cli("bench", "verifiers", *SMALL, "--json").json
    rows = {row["name"]: row for row in told["rows"]}
    assert rows["precision"]["goal"] == rows["recall"]["goal"] == 0.99
    assert rows["precision"]["n"] > 2
    low, high = rows["recall"]["interval"]
    assert 0 <= low < high <= 1
    assert {row["label"] for row in told["operators"]} >= {"right", "wrong"}
    assert told["tasks"]["measured"] == told["tasks"]["grades"]["sound"] > 0
    assert told["repeat"] == "envolve bench verifiers --environments 1 --tasks 3 --seed 7"
    assert len(told["wrong_verdicts"]) == sum(row["wrong"] for row in told["operators"])
    assert rows["tasks that pass with nothing done"]["value"] == 0


def test_people_see_figures_and_how_to_repeat_them(cli: Cli) -> None:
    done = cli("bench", "verifiers", "--environments", 1, "--tasks", 1, "--seed", 5)
    for words in ("precision", "recall", "Ends left out", "Repeat with: envolve bench verifiers --environments 1"):
        assert words in done.out
    assert "1 of 1: " in done.err


def test_wrong_verdicts_count_and_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    environment = Environment.load(SAMPLE)
    task = environment.tasks["book-the-terrace-for-four"]
    weak = task.model_copy(update={"verifier": task.verifier.model_copy(update={"bind": {}, "require": ()})})
    found = task_result(environment, weak, met=(), seed=1)
    result = EnvironmentResult(environment.id, "hospitality", {"sound": 1}, (found,), (0.1,))
    figures = {figure.name: figure for figure in verdict_figures([result])}
    assert figures["recall"].met
    assert figures["precision"].value < 0.99
    assert not figures["precision"].met
    assert figures["tasks in which no wrong end passes"].value == 0
    assert figures["tasks with a wrong verdict"].value == 1
    wrong = wrong_verdicts([result])
    assert {one.label for one in wrong} == {"wrong"}
    assert sum(row.wrong for row in operator_rows([result])) == len(wrong)
    _show_wrong(wrong)
    shown = capsys.readouterr().out
    assert f"{task.id}: wrong by {wrong[0].operator}" in shown
    assert '"calls"' in shown
