"""`envolve bench verifiers`, on one small world."""

from __future__ import annotations

from .conftest import Cli

SMALL = ("--environments", 1, "--tasks", 3, "--seed", 5)


def test_verdicts_are_held_against_labels(cli: Cli) -> None:
    told = cli("bench", "verifiers", *SMALL, "--json").json
    rows = {row["name"]: row for row in told["rows"]}
    assert rows["precision"]["goal"] == rows["recall"]["goal"] == 0.99
    assert rows["precision"]["n"] > 2
    low, high = rows["recall"]["interval"]
    assert 0 <= low < high <= 1
    assert {row["label"] for row in told["operators"]} >= {"right", "wrong"}
    assert told["tasks"]["measured"] == told["tasks"]["grades"]["sound"] > 0
    assert told["repeat"] == "envolve bench verifiers --environments 1 --tasks 3 --seed 5"
    assert len(told["wrong_verdicts"]) == sum(row["wrong"] for row in told["operators"])
    assert rows["tasks that pass with nothing done"]["value"] == 0


def test_people_see_figures_and_how_to_repeat_them(cli: Cli) -> None:
    done = cli("bench", "verifiers", *SMALL)
    for words in ("precision", "recall", "Ends left out", "Repeat with: envolve bench verifiers --environments 1"):
        assert words in done.out
    assert "1 of 1: " in done.err
