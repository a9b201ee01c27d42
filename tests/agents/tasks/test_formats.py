"""Values as people write them."""

from datetime import date

import pytest

from envolve.agents.procedural.tasks.formats import fill, fill_sentences, fill_value, names_in, sentence

TODAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("{a:money}", {"a": 2000}, "$20"),
        ("{a:money}", {"a": 104950}, "$1,049.50"),
        ("{a:money}", {"a": -5}, "-$0.05"),
        ("{a:date}", {"a": "2026-03-06"}, "Friday 6 March"),
        ("{a:date}", {"a": "2026-03-06 19:30:00"}, "Friday 6 March"),
        ("{a:date}", {"a": "2024-11-25"}, "25 November 2024"),
        ("{a:date}", {"a": "2026-12-25"}, "25 December 2026"),
        ("{a:time}", {"a": "2026-03-06 19:30:00"}, "7:30 pm"),
        ("{a:time}", {"a": "09:00"}, "9 am"),
        ("{a:time}", {"a": "2026-03-06 12:00:00"}, "noon"),
        ("{a:time}", {"a": "2026-03-06 00:15:00"}, "12:15 am"),
        ("{a:datetime}", {"a": "2026-03-06 19:30:00"}, "Friday 6 March at 7:30 pm"),
        ("{a:month}", {"a": "2026-04-01"}, "April"),
        ("{a:month}", {"a": "2025-04-01"}, "April 2025"),
        ("{a:iso_day}", {"a": "2026-03-06 19:30:00"}, "2026-03-06"),
        ("{a:iso_time}", {"a": "2026-03-06 19:30:00"}, "19:30"),
        ("{a:list}", {"a": ["x", "y", "z"]}, "x, y and z"),
        ("{a:list}", {"a": ["x"]}, "x"),
        ("{a:count item}", {"a": 1}, "one item"),
        ("{a:count item}", {"a": 3}, "three items"),
        ("{a:count booking}", {"a": 12}, "12 bookings"),
        ("{a:count item}", {"a": 0}, "no items"),
        ("{a:number}", {"a": 12000}, "12,000"),
        ("{a:ordinal}", {"a": 2}, "second"),
        ("{a:ordinal}", {"a": 21}, "21st"),
        ("{a:ordinal}", {"a": 112}, "112th"),
        ("{a:words}", {"a": "no_show"}, "no show"),
        ("{a:quoted}", {"a": "by the door"}, '"by the door"'),
        ("{a:a}", {"a": "order"}, "an order"),
        ("{a:plural}", {"a": "category"}, "categories"),
        ("{b.c}", {"b.c": "x"}, "x"),
        ("{a} and {a}", {"a": 4}, "4 and 4"),
    ],
)
def test_values_are_said(text: str, values: dict[str, object], said: str) -> None:
    assert fill(text, values, TODAY) == said


def test_a_lone_placeholder_keeps_its_type() -> None:
    assert fill_value("{n}", {"n": 4}, TODAY) == 4
    assert fill_value("{n:money}", {"n": 400}, TODAY) == "$4"
    assert fill_value("{n} of them", {"n": 4}, TODAY) == "4 of them"


@pytest.mark.parametrize("text", ["{missing}", "{n:nonsense}"])
def test_unknown_names_and_formats_are_refused(text: str) -> None:
    with pytest.raises(KeyError):
        fill(text, {"n": 1}, TODAY)


def test_names_in_text() -> None:
    assert names_in("{a} {b:money} {c.d} {e:count thing}") == {"a", "b", "c.d", "e"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move it", "Move it."),
        ("Why?", "Why?"),
        ('say "hello"', 'Say "hello".'),
        ('say "no!"', 'Say "no!"'),
        (" note ", "Note."),
    ],
)
def test_sentences_begin_and_end(text: str, said: str) -> None:
    assert sentence(text) == said


def test_a_phrase_at_the_beginning_of_a_sentence_gets_a_capital() -> None:
    text = "{what} is closed. {what} opens again on Monday, and {what} stays"
    said = fill_sentences(text, {"what": "the pool"}, TODAY)
    assert said == "The pool is closed. The pool opens again on Monday, and the pool stays."
