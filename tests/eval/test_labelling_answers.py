"""What counts as the same answer, read without the matcher that verdicts use; the two agree."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envolve.environments.answer_matching import answers_match
from envolve.environments.models import Answer, Submission
from envolve.eval.labelling.answers import says

WORDS = st.text("abcdefghij ", min_size=1, max_size=12).map(str.strip).filter(bool)


def told(form: Answer, gold: Any, given: Any) -> str:
    return says(form, Submission(answer=gold), Submission(answer=given))


@given(st.integers(-(10**9), 10**9))
def test_numbers_may_be_written_apart(number: int) -> None:
    form = Answer(kind="number", value=number)
    assert told(form, number, f"{number:,}") == "same"
    assert answers_match(form, number, f"{number:,}")
    assert told(form, number, number + 1) == "other"
    assert not answers_match(form, number, number + 1)


@given(st.dates(dt.date(1950, 1, 1), dt.date(2090, 1, 1)))
def test_days_may_be_written_in_words(day: dt.date) -> None:
    form = Answer(kind="date", value=day.isoformat())
    for written, same in ((f"{day:%B} {day.day}, {day.year}", True), (str(day + dt.timedelta(1)), False)):
        assert told(form, day.isoformat(), written) == ("same" if same else "other")
        assert answers_match(form, day.isoformat(), written) is same


@given(st.lists(WORDS, min_size=2, max_size=5, unique_by=lambda word: " ".join(word.split())))
def test_sets_have_no_order_and_lists_do(words: list[str]) -> None:
    turned = list(reversed(words))
    for kind, same in (("set", True), ("list", False)):
        form = Answer.model_validate({"kind": kind, "value": words})
        assert told(form, words, turned) == ("same" if same else "other")
        assert answers_match(form, words, turned) is same
    assert told(Answer(kind="set", value=words), words, words[1:]) == "other"
    assert told(Answer(kind="set", value=words), words, [f" {word.upper()} " for word in words]) == "same"


@pytest.mark.parametrize(("given_", "says_"), [(12.34, "same"), (12.3, "unclear"), (12, "other"), (13.5, "other")])
def test_a_broken_number_nearly_right_is_unclear(given_: float, says_: str) -> None:
    assert told(Answer(kind="number", value=12.34), 12.34, given_) == says_


@pytest.mark.parametrize("name", ["Nan", "Infinity", "sNaN"])
def test_names_that_look_like_numbers_are_names(name: str) -> None:
    assert told(Answer(kind="text", value=name), name, f" {name.upper()} ") == "same"
    assert told(Answer(kind="text", value=name), name, "Ada") == "other"
    assert told(Answer(kind="set", value=[name], of="text"), [name], [name]) == "same"


def test_rows_have_no_order_but_belong_together() -> None:
    form = Answer(kind="rows", value=[], columns={"guest": "text", "party": "number"})
    rows = [{"guest": "Ada", "party": 4}, {"guest": "Ben", "party": 6}]
    assert told(form, rows, rows[::-1]) == "same"
    assert told(form, rows, [{"guest": "Ada", "party": 6}, {"guest": "Ben", "party": 4}]) == "other"
    assert told(form, rows, rows[:1]) == "other"
