"""`envolve bench critics`: what reviewers find of planted faults, told for people, programs and browsers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from envolve.bench.critics.audited import Audits
from envolve.environments.package import Environment

from .conftest import Cli

SMALL = ("bench", "critics", "--environments", "1", "--plants", "1", "--jobs", "1")
CRITICS = Path(__file__).parents[1] / "data" / "critics"
HERE = "benched"


@pytest.fixture(autouse=True)
def _at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(CRITICS))


def test_a_critic_finds_nothing_but_its_copy_and_changes_it_for_nobody(cli: Cli) -> None:
    names = ("spoiling", "original", "leaving")
    critics = [word for name in names for word in ("--critic", f"{HERE}:{name}")]
    told = cli(*SMALL, "--fault", "status_illegal", *critics, "--json").json
    rows = {row["critic"].rpartition(":")[2]: row for row in told["critics"]}
    assert rows["tester + rules"]["found"] == 1
    for name in ("spoiling", "original"):
        assert rows[name]["failed"] == 0, name
        assert rows[name]["confirmed"]["n"] == 0, name
    assert rows["leaving"]["failed"] == rows["leaving"]["copies"] == 2
    assert HERE not in sys.modules


@pytest.mark.slow
def test_recall_false_alarms_and_costs_by_class_and_critic(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "critics.html"
    faults = ("--fault", "status_illegal", "--fault", "verifier_always_passes")
    critics = [word for name in ("silent", "dead", "peeking") for word in ("--critic", f"{HERE}:{name}")]
    told = cli(*SMALL, *faults, *critics, "--html", page, "--json").json
    assert set(told) >= {"bench", "rows", "machine", "seconds", "classes", "dropped", "held_out"}
    critics_told = {row["critic"]: row for row in told["critics"]}
    assert critics_told["tester + rules"]["found"] == 2
    assert critics_told[f"{HERE}:silent"]["found"] == 0
    assert critics_told[f"{HERE}:silent"]["failed"] == 0
    assert critics_told[f"{HERE}:dead"]["failed"] == critics_told[f"{HERE}:dead"]["copies"]
    assert critics_told[f"{HERE}:peeking"]["failed"] == 0
    assert {row["fault"] for row in told["classes"]} == {"status_illegal", "verifier_always_passes"}
    assert any(row["goal"] == 0.9 and row["interval"] for row in told["rows"])
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<b>out of order" not in text
    assert "://" not in text


def test_unknown_fault_is_refused_with_those_there_are(cli: Cli) -> None:
    cli("bench", "critics", "--fault", "gremlin").refused(2, "gremlin", "verifier_weak")


@pytest.mark.parametrize("option", ["--environments", "--plants"])
def test_counts_must_be_positive(cli: Cli, option: str) -> None:
    assert cli("bench", "critics", option, "0").code == 2


def test_a_page_that_cannot_be_written_is_told_before_anything_is_measured(cli: Cli, tmp_path: Path) -> None:
    cli(*SMALL, "--html", tmp_path / "missing" / "critics.html").refused(2, "there is no folder")


def test_only_tasks_that_a_copy_shares_are_audited_with_the_original() -> None:
    sound = Environment.load(Path(__file__).parents[1] / "data" / "table-booking")
    other = next(task for task in sound.tasks.values() if task.verifier.require)
    same = next(task for task in sound.tasks.values() if task != other)
    weak = other.model_copy(update={"verifier": other.verifier.model_copy(update={"require": ()})})
    copy = sound.without_tasks().with_tasks([same, weak])
    original = Audits(sound, 1)
    shared = Audits(copy, 1, original)
    assert shared.report(same) is original.report(same)
    assert shared.report(weak) is not original.report(other)
    assert Audits(copy, 2, original).report(same) is not original.report(same)
