"""What an instruction says: numbers, dates, times, texts."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.eval.audit.language import Wording, has_phrase
from envolve.eval.audit.language.number_words import number_words, ordinal, ordinal_word
from envolve.eval.audit.language.tokens import tokens

TODAY = "2026-03-02 09:00:00"  # a Monday
DAY = dt.date(2026, 3, 2)
fixed = settings(derandomize=True, database=None, deadline=None, max_examples=100)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("has grown to six people", 6),
        ("a table for 4", 4),
        ("redeem 2,000 points", 2000),
        ("a $20 reward", 2000),
        ("a $39.50 refund", 3950),
        ("€1,250 at most", 125_000),
        ("thirty dollars", 3000),
        ("80 euros", 8000),
        ("a fine of 80.00.", 8000),
        ("80,50 €", 8050),
        ("1,250.00 at most", 125_000),
        ("rated 4.5 or better", 4.5),
        ("20% off", 0.2),
        ("20% off", 20),
        ("at least two hours before", 120),
        ("half an hour later", 30),
        ("twenty-four guests", 24),
        ("a hundred and five", 105),
        ("both of them", 2),
        ("a dozen eggs", 12),
        ("her third visit", 3),
        ("this Saturday at half past seven", "2026-03-07 19:30:00"),
        ("tomorrow at 7 pm", "2026-03-03 19:00:00"),
        ("on March 6", "2026-03-06"),
        ("on the 6th of March", "2026-03-06"),
        ("Mar. 6, 2026", "2026-03-06"),
        ("on Friday", "2026-03-06"),
        ("next Tuesday", "2026-03-10"),
        ("in two weeks", "2026-03-16"),
        ("during March", "2026-03-31"),
        ("in March", "2026-03"),
        ("for next month", "2026-04-01"),
        ("at 7:30 PM", "19:30"),
        ("at 7.30 p.m.", "19:30:00"),
        ("at quarter to eight", "19:45"),
        ("at noon", "12:00"),
        ("after six", "18:00"),
        ("named Ada Lindqvist's dinner", "Ada Lindqvist"),
        ("the JOSÉ Álvarez booking", "jose alvarez"),
        ("all no-shows", "no_show"),
        ("on the terrace", "%terrace%"),
        ("Italian restaurants", "restaurant"),
    ],
)
def test_values_are_said(text: str, value: object) -> None:
    assert Wording(text, TODAY).says(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("has grown to six people", 7),
        ("redeem 2,000 points", 2),
        ("a $20 reward", 200),
        ("a table for 14", 4),
        ("on March 16", "2026-03-06"),
        ("on Friday", "2026-03-07"),
        ("on Friday at seven", "2026-03-06 20:00:00"),
        ("at 7:30 PM", "07:15"),
        ("Ada and Lindqvist", "Ada Lindqvist"),
        ("terraced", "terrace"),
        ("tables T41", "T4"),
        ("", "2026-13-45"),
    ],
)
def test_other_values_are_not(text: str, value: object) -> None:
    assert not Wording(text, TODAY).says(value)


@fixed
@given(st.integers(0, 999_999))
def test_numbers_are_said_in_digits_and_words(number: int) -> None:
    for form in (str(number), f"{number:,}", *number_words(number)):
        assert Wording(f"about {form} of them, please", TODAY).says(number)


@fixed
@given(st.dates(DAY - dt.timedelta(days=400), DAY + dt.timedelta(days=400)))
def test_days_are_said_as_people_say_them(day: dt.date) -> None:
    for form in (day.strftime("%B %-d"), day.strftime("%-d %b"), day.isoformat(), f"the {ordinal(day.day)}"):
        assert Wording(f"on {form}, please", TODAY).says(day.isoformat())
    if 0 < (day - DAY).days < 7:
        assert Wording(f"on {day:%A}", TODAY).says(day.isoformat())


@fixed
@given(st.times())
def test_times_are_said_as_people_say_them(time: dt.time) -> None:
    value = time.strftime("%H:%M")
    for form in (value, time.strftime("%-I:%M %p"), time.strftime("%-I:%M%p").lower()):
        assert Wording(f"at {form} sharp", TODAY).says(value)


@fixed
@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_can_be_read(text: str, value: str) -> None:
    wording = Wording(text, TODAY)
    wording.says(value)
    assert all(number >= 0 for number in wording.bare_numbers)
    assert tokens(text) == tokens(text.upper()) or not text.isascii()


def test_number_words_are_those_of_the_dictionary() -> None:
    assert number_words(21) == ("twenty-one",)
    assert number_words(206) == ("two hundred and six", "two hundred six")
    assert number_words(13_040) == ("thirteen thousand and forty", "thirteen thousand forty")
    assert number_words(1_000_000) == ()
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "13th",
        "21st",
        "112th",
    ]
    assert [ordinal_word(n) for n in (1, 5, 12, 20, 31)] == ["first", "fifth", "twelfth", "twentieth", "thirty-first"]


def test_bare_numbers_stand_for_themselves() -> None:
    text = (
        "Move booking #1806 of March 6 (7 pm, table T4, $20, 45 minutes, 4.5 stars), call 555-0277-3312: it is 2041."
    )
    assert Wording(text, TODAY).bare_numbers == {1806, 2041}


def test_phrases_may_leave_words_out() -> None:
    text = "Move it to the smallest table of ours that seats them and is free"
    assert has_phrase(text, "the smallest table … that seats them")
    assert has_phrase(text, "The smallest table...seats them")
    assert not has_phrase(text, "seats them … the smallest table")
    assert not has_phrase(text, "the largest table")
