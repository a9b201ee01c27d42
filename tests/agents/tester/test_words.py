"""Words that have one stem, and words that have not."""

from __future__ import annotations

import pytest

from envolve.agents.tester.words import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [("make", "made"), ("take", "taken"), ("pay", "paid"), ("cancel", "cancellations"), ("Withdraw", "withdrawn")],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("make", "move"), ("take", "talk"), ("hold", "held_back")])
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)
