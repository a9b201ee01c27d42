"""The cases of the judges' bench: their labels, held against what nobody used to make them."""

from __future__ import annotations

import asyncio

import pytest

from envolve.agents.judges import Case, Judgement
from envolve.agents.judges.naming import as_judge
from envolve.bench.judges.base import LabelledCase
from envolve.bench.judges.cases import labelled_cases
from envolve.bench.judges.suite import judges_figures
from envolve.cli.bench import judges as shown


@pytest.fixture(scope="module")
def cases() -> list[LabelledCase]:
    return asyncio.run(labelled_cases(40, seed=3))


class Says:
    """Rules the same, or what the label is, or the other way round when asked again."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._asked = 0

    async def judge(self, case: Case) -> Judgement:
        self._asked += 1
        unmet = self.name == "always not" or (self.name == "wavering" and self._asked > 40)
        return Judgement(ruling="not_met" if unmet else "met", reason="so")


def test_half_of_each_label_and_many_kinds(cases: list[LabelledCase]) -> None:
    assert [case.label for case in cases].count("met") == 20
    assert len(cases) == 40
    assert len({case.kind for case in cases if case.label == "met"}) >= 5
    assert len({case.kind for case in cases if case.label == "not_met"}) >= 8


def test_cases_show_what_the_label_says(cases: list[LabelledCase]) -> None:
    for case in cases:
        events = case.case.trace.events
        if case.kind == "out of calls":
            assert case.case.trace.limit == "calls"
        if case.label == "met":
            assert case.case.trace.submission is not None
        if case.kind.startswith("a failed call"):
            assert any(event.result is not None and not event.result.ok for event in events)
        if case.kind == "gold":
            assert all(event.result is None or event.result.ok for event in events)
        assert not case.case.environment.tasks


def test_what_judges_are_worth(cases: list[LabelledCase], capsys: pytest.CaptureFixture[str]) -> None:
    found = asyncio.run(judges_figures([Says("always not"), Says("wavering")], cases, lambda line: None))
    never, wavering = found.judges
    assert (never.accuracy.false_alarms.count, never.accuracy.false_passes.count) == (20, 0)
    assert (never.accuracy.right.count, never.accuracy.right.n) == (20, 40)
    assert (never.repeated.flips.count, wavering.repeated.flips.count) == (0, 40)
    assert wavering.accuracy.false_passes.count == 20
    assert found.between is not None
    assert found.between.kappa == pytest.approx(-1.0)
    shown._show(found, cases)
    out = capsys.readouterr().out
    assert max(map(len, out.split("Between")[0].splitlines())) <= 100
    assert "20/40 50% 0.35–0.65" in " ".join(out.split())
    assert "flips: another ruling" in out
    assert "right: of the cases that the judge decided" in out
    assert "Fleiss' kappa -1.00" in out
    assert "is not being right" in out


def test_a_judge_that_gives_no_ruling_is_told_with_the_first_reason(
    cases: list[LabelledCase], capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(case: Case) -> Judgement:
        return Judgement(ruling="met", reason=str(1 // 0))

    found = asyncio.run(judges_figures([as_judge(broken, "mine:broken")], cases, lambda line: None))
    shown._show(found, cases)
    told = (
        "mine:broken gave no ruling on 40 of 40 cases. The first: The judge 'mine:broken' failed: ZeroDivisionError"
    )
    assert told in capsys.readouterr().out
    assert found.judges[0].as_json()["failure"].rstrip(".").rpartition(", at ")[2].startswith("test_bench_judges.py:")
