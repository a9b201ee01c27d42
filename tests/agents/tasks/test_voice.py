"""Requests are whole, and say what they have to say."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.procedural.tasks.grammar import fits, heavy, points_back
from envolve.agents.procedural.tasks.voice import TONES, Utterance, say_all

CLAUSES = st.sampled_from(
    ["move Ada's booking to the terrace", "tell me what is open", "cancel order 12, if you can", "close the pool"]
)
SENTENCES = st.sampled_from(["The pool is closed. Please say so.", "How much is the terrace?", "I want a table."])
UTTERANCES = st.one_of(
    st.builds(
        Utterance,
        text=CLAUSES,
        sentences=st.just(False),
        adds=st.sampled_from([(), ("and note that it rains",), ("with a note",)]),
        why=st.sampled_from([None, "they are ill", "it has to go"]),
        follows=st.booleans(),
        join=st.sampled_from(["then", "and"]),
    ),
    SENTENCES.map(lambda text: Utterance(text, sentences=True)),
)


@given(st.lists(UTTERANCES, min_size=1, max_size=4), st.sampled_from(sorted(set(TONES))), st.integers(0, 10**6))
@settings(derandomize=True, database=None, max_examples=150)
def test_requests_are_well_formed(utterances: list[Utterance], tone: str, seed: int) -> None:
    said = say_all(utterances, tone, Random(seed))  # type: ignore[arg-type]  # one of the literals
    assert said[0].isupper()
    assert said.removesuffix('"')[-1] in ".?!"
    assert "  " not in said
    assert not re.search(r"[{}]|\.\.|,\.|\?\.|[.?!] [a-z]", said)
    for utterance in utterances:
        assert utterance.text.lower() in said.lower()
        assert all(add.removeprefix("and ").lower() in said.lower() for add in utterance.adds)


def test_the_same_request_is_said_in_many_ways() -> None:
    utterance = Utterance("close the pool", sentences=False, why="it is being cleaned")
    said = {say_all([utterance], tone, Random(seed)) for tone in set(TONES) for seed in range(40)}
    assert len(said) > 40


@pytest.mark.parametrize(
    ("text", "phrase", "fitting"),
    [
        ("{who}'s booking", "Ada", True),
        ("{who}'s booking", "whoever has the phone number 555", False),
        ("open {what} again", "the pool", True),
        ("open {what} again", "the room that takes eight people", False),
        ("what {what} costs", "the room that takes eight people", False),
        ("move {what} to Monday", "the room that takes eight people", True),
        ("record that {what} was missed", "the booking for Ada on Friday 6 March", True),
    ],
)
def test_where_phrases_fit(text: str, phrase: str, fitting: bool) -> None:
    assert fits(text, {"who": phrase, "what": phrase}) is fitting


def test_heavy_phrases_and_reasons_that_point_back() -> None:
    assert heavy("the one that leaks")
    assert not heavy("the Larch studio")
    assert points_back("somebody there is ill")
    assert not points_back("the pool is being cleaned")
