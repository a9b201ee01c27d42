"""Values that an instruction says: quoted texts, names, addresses, numbers, days and times of day.

Read off the text by their form. What is only described ("the cheapest") is not found here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

from ..audit.language import Wording
from ..audit.language.number_words import number_words
from ..audit.language.spoken import DAYS, MONTHS
from ..audit.language.tokens import tokens

_QUOTED = re.compile(r"[\"“]([^\"”]{1,200})[\"”]")
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?:\s+(?:(?:of|the|de|van|von|&)\s+)?[A-ZÀ-Þ][\w'’-]*)*")
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap]\.?m\b)?")
_STARTS = re.compile(r"(?:^|[.!?:]\s+)$")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\d[\d\s-]{5,}\d")
_AMOUNT = re.compile(r"(\d[\d,]*)(?:\.(\d{2}))?")
_HOUR_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_HOURS = re.compile(r"(?<!half )\b(\d{1,2}|an?|one|two|three|four) hours?\b( and a half)?")
_DAYS_BACK, _DAYS_AHEAD = 70, 130
_MOST_DAYS = 12
_RELATIVE = frozenset({"today", "tonight", "tomorrow", "yesterday", "morning", "evening", "afternoon"})
_LARGEST_WORD = 31


T = TypeVar("T")


class Said(NamedTuple):
    """By kind; `texts` are those in quotes, `names` stand out by their capitals; `days` as YYYY-MM-DD, `times` as
    HH:MM."""

    texts: tuple[str, ...]
    names: tuple[str, ...]
    emails: tuple[str, ...]
    numbers: tuple[int, ...]
    days: tuple[str, ...]
    times: tuple[str, ...]


@lru_cache(maxsize=64)
def said(text: str, today: str) -> Said:
    """What `text` says on the day `today` (a date or datetime of the world)."""
    wording = Wording(text, today)
    return Said(
        texts=_unique(_QUOTED.findall(text)),
        names=_unique(_names(text)),
        emails=_unique(_EMAIL.findall(text)),
        numbers=_unique(_numbers(text)),
        days=_unique(day for day in _days(text, today) if wording.says(day))[:_MOST_DAYS],
        times=_unique(_times(text)),
    )


def _unique(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _names(text: str) -> Iterator[str]:
    """Names, and phone numbers. A single word that opens a sentence is none, nor is a day or a month."""
    for found in _NAME.finditer(text):
        opens = _STARTS.search(text[: found.start()]) is not None
        words = found[0].split()
        calendar = words[-1].lower() in (*DAYS, *MONTHS) or words[0].lower() in (*DAYS, *MONTHS)
        if not calendar and not (opens and len(words) == 1) and found[0] != "I":
            yield found[0].removesuffix("'s").removesuffix("’s")
    yield from (found.strip() for found in _PHONE.findall(text))


def _numbers(text: str) -> Iterator[int]:
    """Digits as they stand, amounts in minor units too, hours as minutes, and words up to thirty-one."""
    for whole, cents in _AMOUNT.findall(_CLOCK.sub(_without_times, text)):
        number = int(whole.replace(",", "") or 0)
        yield number * 100 + int(cents) if cents else number
        if not cents:
            yield number * 100
    yield from _durations(text)
    heard = set(tokens(text))
    yield from (number for number in range(1, _LARGEST_WORD) if heard.intersection(number_words(number)))


def _durations(text: str) -> Iterator[int]:
    """Hours as minutes: "an hour and a half", "two hours", "half an hour"."""
    low = text.lower()
    if "half an hour" in low:
        yield 30
    for number, half in _HOURS.findall(low):
        whole = int(number) if number.isdigit() else _HOUR_WORDS[number]
        yield whole * 60 + 30 * bool(half)


def _days(text: str, today: str) -> Iterator[str]:
    """Days around today whose number or weekday stands in the text; all of them where it speaks of today."""
    heard = set(tokens(text))
    numbers = {int(found) for found in re.findall(r"\d+", text) if len(found) <= 2}
    here = dt.date.fromisoformat(today[:10])
    near = bool(heard & _RELATIVE)
    for offset in sorted(range(-_DAYS_BACK, _DAYS_AHEAD), key=lambda days: (abs(days), days)):
        day = here + dt.timedelta(days=offset)
        named = DAYS[day.weekday()] in heard and -7 <= offset <= 14
        if day.day in numbers or named or day.isoformat() in text or (near and abs(offset) <= 1):
            yield day.isoformat()


def _times(text: str) -> Iterator[str]:
    for hour, minute, half in _CLOCK.findall(text):
        if not minute and not half:
            continue
        clock = int(hour) % 12 + 12 * half.startswith("p") if half else int(hour)
        if clock < 24 and int(minute or 0) < 60:
            yield f"{clock:02}:{minute or '00'}"


def _without_times(found: re.Match[str]) -> str:
    return "" if found[3] or ":" in found[0] else found[0]
