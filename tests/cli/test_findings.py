"""Findings of a run as status, report and search tell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from envolve.environments.models import Finding
from envolve.environments.models.findings import Severity
from envolve.graph.config import RunConfig
from envolve.memory import Librarian, RunStore, embedder_named
from envolve.memory.records import FindingRecord, PlannedItem

from .conftest import Cli

MENDED = "tools.cancel_hire.steps.1.require: `SELECT 1` became `SELECT :hire_status = 'open'`"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds: a blocker that came again, one minor finding, a critic's doubt."""
    folder = tmp_path_factory.mktemp("findings") / "run"
    folder.mkdir()
    with RunStore.create(folder, RunConfig().model_dump(mode="json")) as store:
        librarian = Librarian(store, embedder_named())
        librarian.claim()
        for number in (1, 2):
            store.work.plan_round(number, {}, [PlannedItem(key=f"k{number}", kind="build")])
            with store.commit(f"k{number}") as tx:
                tx.add_findings([record(librarian, number, finding) for finding in told(number)])
                tx.finish(fate="admitted")
    return folder


def told(number: int) -> list[Finding]:
    past = {"past": {"kind": "invariant_broken", "where": "tools.old", "environment": "boats-1"}}
    again = finding("invariant_broken", "blocker", "memory" if number == 2 else "gate:invariants", True)
    if number == 1:
        return [finding("too_heavy", "minor", "gate:fuzz", True), again]
    return [again.model_copy(update={"evidence": past}), finding("odd_words", "major", "critic:rules", False)]


def finding(kind: str, severity: Severity, source: str, confirmed: bool) -> Finding:
    return Finding(
        kind=kind,
        severity=severity,
        where="tools.cancel_hire",
        message=f"A hire is cancelled twice <{kind}>.",
        source=source,
        confirmed=confirmed,
    )


def record(librarian: Librarian, number: int, claim: Finding) -> FindingRecord:
    text, vector = librarian.remember_finding(claim)
    return FindingRecord(
        environment=f"kayaks-{number}",
        hash="h",
        finding=claim,
        fix=MENDED if claim.kind == "invariant_broken" and number == 1 else "",
        text=text,
        vector=vector,
        created_round=number,
    )


def test_status_counts_kinds_repeats_and_doubts(cli: Cli, folder: Path) -> None:
    found = cli("status", str(folder), "--json").json["findings"]
    assert [(kind["kind"], kind["confirmed"], kind["fixed"]) for kind in found["kinds"]] == [
        ("invariant_broken", 2, 1),
        ("odd_words", 0, 0),
        ("too_heavy", 1, 0),
    ]
    assert [(line["round"], line["repeated"], line["confirmed"]) for line in found["repeats"]] == [
        (1, 0, 2),
        (2, 1, 1),
    ]
    assert found["repeats"][1]["interval"][0] < 1.0 == found["repeats"][1]["rate"]
    assert {each["source"]: each["doubts"] for each in found["sources"]}["critic:rules"] == 1
    said = cli("status", str(folder)).out
    assert "Round 2: 1 of 1 confirmed finding of a kind confirmed before" in said
    assert "Doubts: critic:rules 1." in said


def test_the_report_tells_the_most_severe_first_with_fix_and_finder(cli: Cli, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert cli("report", str(folder), "-o", str(page)).code == 0
    text = page.read_text(encoding="utf-8")
    text = text[text.index('id="findings"') :]
    assert text.index("invariant broken") < text.index("odd words") < text.index("too heavy")
    assert "SELECT :hire_status = &#39;open&#39;" in text
    assert "Seen before: tools.old of boats-1." in text
    assert "gate invariants" in text
    assert "&lt;odd_words&gt;" in text
    assert "Repeats by round" in text


def test_a_search_shows_defects_with_their_fixes(cli: Cli, folder: Path) -> None:
    said = cli("memory", str(folder), "search", "cancelled twice", "--kind", "defects").out
    assert MENDED in said
    assert "at    tools.cancel_hire of kayaks-1" in said
    assert "fix   none: no repair made it disappear" in said
    hits = cli("memory", str(folder), "search", "cancelled twice", "--kind", "defects", "--json").json["hits"]
    assert {hit["fix"] for hit in hits} == {MENDED, ""}
    assert all(hit["found"] and hit["where"] == "tools.cancel_hire" for hit in hits)
