"""Which object of a text is the answer, and what is said where none is."""

from __future__ import annotations

import pytest

from envolve.agents.llm.json_text import NoObject, find_object

OUTER = '{"drop": ["a/b" "c/d"], "tools": [{}]}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (OUTER, r"line 1, column 17, after '\{\"drop\": \[\"a/b\" ', before '\"c/d\"\], "),
        (f"Here it is:\n```json\n{OUTER}\n```\nDone.", "line 3, column 17"),
        ('{"a": 1,\n "b" 2,\n "c": {"d": 3}}', "line 2, column 6"),
        ('{"a": {"b": {"c": 1}}, "d": [1, 2', "no valid JSON"),
        ('{"a": [{"b": 1}, {"c": 2}', "no valid JSON"),
        ('{"a": "x"y", "t": "}", "tools": [{"name": "much longer than all before"}]}', "column 10"),
        ('Say {"x": 1}, or rather {"a": 1 "b": {"c": "of some length"}}', "line 1"),
        (f'{OUTER}\n\nOr as ```json\n{{"a": "a longer one, which stands after it"}}\n```', "column 17"),
        ('{"text": "```\n{"a": 1}\n```", "b": 2}', "no valid JSON"),
        ('<think>Is it {"a": 1}? Or {"a": 2}', "thinking has no end"),
        ('Well. <THINK>Is it {"a": 1}', "thinking has no end"),
        ('<think>First.</think><think>Then {"a": 1}', "thinking has no end"),
        ('Is it {"a": 1}? No.\n</think>\nI do not know.', "no JSON object"),
        ('[{"a": 1}, {"a": 2, "b": 3}]', "It is a list"),
        ('Both: [\n{"a": 1}, {"a": 2 "b": 3}]', "no valid JSON"),
        ("I {think} so", "no valid JSON"),
    ],
)
def test_an_object_within_what_cannot_be_read_is_never_taken(text: str, told: str) -> None:
    with pytest.raises(NoObject, match=told):
        find_object(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "</think>"}',
        '<think>Is it {"a": 2}?</think>\n{"a": "</think>"}',
    ],
)
def test_tags_in_texts_of_the_object_are_its_own(text: str) -> None:
    assert find_object(text) == {"a": "</think>"}


@pytest.mark.parametrize(
    "text",
    [
        'Is it {"a": 2}? No.\n</think>\n{"a": 1}',
        '<think>I write </think> {"a": 2} and then</think> {"a": 1}',
        '[{"a": 1}]',
        "As [1] says of {it}: ```\n{'a': 1}\n``` {or so}",
        'The form {} is short, {"a": 1} is right.',
        '{"a": 1} is the answer; {"b" 2} is not.',
        '{"a": 1, /* so {it} is */}',
    ],
)
def test_the_answer_is_found_among_words(text: str) -> None:
    assert find_object(text) == {"a": 1}


def test_hostile_texts_take_no_time() -> None:
    for text in (
        "{" * 200_000,
        '{"' * 100_000,
        "[{" * 100_000,
        "{}" * 20_000 + "{",
        '"{' * 100_000,
        "</think>" * 20_000,
    ):
        try:
            find_object(text)
        except NoObject:
            continue
