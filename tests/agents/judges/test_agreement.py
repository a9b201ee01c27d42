"""Figures of judges, against published worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.judges import (
    Judgement,
    Label,
    accuracy,
    between_judges,
    fleiss_kappa,
    repeated,
)
from envolve.agents.judges.base import Ruling
from envolve.environments.errors import InputError

FLEISS_1971 = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031"
    " 00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
"""Table 1 of Fleiss (1971): 30 patients, each put by 6 psychiatrists into depression, personality disorder,
schizophrenia, neurosis, other."""
WIKIPEDIA = [
    *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
    *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
]
"""The worked example of Wikipedia's article on Fleiss' kappa: 10 subjects, 14 raters."""


def judged(ruling: Ruling) -> Judgement:
    return Judgement(ruling=ruling, reason="so")


def test_fleiss_own_example() -> None:
    table = [[int(digit) for digit in row] for row in FLEISS_1971.split()]
    found = fleiss_kappa(table)
    assert (found.n, found.raters) == (30, 6)
    assert found.kappa == pytest.approx(0.430, abs=0.0005)
    shares = [sum(row[category] for row in table) / 180 for category in range(5)]
    assert shares == pytest.approx([0.144, 0.144, 0.167, 0.306, 0.239], abs=0.0006)  # as printed there
    assert found.interval is not None
    assert 0.25 < found.interval.low < 0.430 < found.interval.high < 0.6
    assert fleiss_kappa(table) == found


def test_the_example_of_wikipedia() -> None:
    assert fleiss_kappa(WIKIPEDIA).kappa == pytest.approx(0.210, abs=0.0005)


def test_two_raters_who_always_agree_and_who_never_do() -> None:
    assert fleiss_kappa([[2, 0], [0, 2]]).kappa == pytest.approx(1.0)
    assert fleiss_kappa([[1, 1], [1, 1]]).kappa == pytest.approx(-1.0)


def test_nothing_to_compare() -> None:
    assert fleiss_kappa([]).kappa is None
    assert fleiss_kappa([[3], [3]]).kappa is None  # all ratings the same
    assert fleiss_kappa([[1, 0], [0, 1]]).kappa is None  # one rater
    with pytest.raises(InputError, match="same number"):
        fleiss_kappa([[2, 0], [1, 0]])


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8))
def test_the_order_of_subjects_and_categories_does_not_matter(rows: list[tuple[int, int, int]]) -> None:
    table = [[a, b, c, 15 - a - b - c] for a, b, c in rows]
    first, second = fleiss_kappa(table).kappa, fleiss_kappa([row[::-1] for row in reversed(table)]).kappa
    assert first == second if first is None else first == pytest.approx(second)
    assert first is None or -1 <= first <= 1


def test_between_judges_only_what_all_decided_counts() -> None:
    met, unmet, unsure = judged("met"), judged("not_met"), judged("cannot_tell")
    rows = [(met, met), (unmet, unmet), (met, unmet), (met, unsure), (None, met)]
    found = between_judges(rows)
    assert (found.n, found.left_out, found.raters) == (3, 2, 2)
    assert found.kappa == pytest.approx(1 / 3)
    assert between_judges(rows, [True, False, True, True, True]).raters == 3


def test_accuracy_counts_what_cannot_be_told_as_missed() -> None:
    rulings: list[tuple[Label, Ruling, int]] = [
        ("met", "met", 8),
        ("met", "not_met", 1),
        ("met", "cannot_tell", 3),
        ("not_met", "not_met", 6),
        ("not_met", "met", 2),
        ("not_met", "cannot_tell", 4),
    ]
    pairs: list[tuple[Label, Judgement | None]] = [
        (label, judged(ruling)) for label, ruling, count in rulings for _ in range(count)
    ]
    found = accuracy([*pairs, ("met", None)])
    assert found.n == 25
    assert (found.right.count, found.right.n) == (14, 17)
    assert (found.met.precision.count, found.met.precision.n) == (8, 10)
    assert (found.met.recall.count, found.met.recall.n) == (8, 13)
    assert (found.not_met.precision.count, found.not_met.precision.n) == (6, 7)
    assert (found.not_met.recall.count, found.not_met.recall.n) == (6, 12)
    assert (found.cannot_tell.count, found.no_ruling.count) == (7, 1)
    assert (found.false_alarms.count, found.false_passes.count) == (1, 2)
    assert found.right.interval == pytest.approx((0.5897, 0.9381), abs=0.001)  # Wilson's score, 14 of 17


def test_repeatability_is_not_accuracy() -> None:
    steady = repeated([(judged("met"), judged("met")), (judged("not_met"), judged("not_met"))])
    assert (steady.flips.count, steady.flips.n) == (0, 2)
    assert steady.kappa.kappa == pytest.approx(1.0)
    wavering = repeated([(judged("met"), judged("not_met")), (judged("met"), judged("met")), (None, judged("met"))])
    assert (wavering.flips.count, wavering.flips.n) == (1, 2)
