"""Does an instruction say a value? The ways in which the value is said are looked for.

`2000` is said by "2,000", "two thousand", "$20" and "20.00" (money is in minor units), 120 by "two hours",
`2026-03-06` by "March 6" or, seen from the world's today, "Friday", `19:30` by "7:30 PM" or "half past seven"; a text
by its words, next to each other, but for case, accents and a plural s.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from .spoken import CURRENCIES, DAYS, MONTHS, SIGNS, UNITS, date_forms, digits, month_forms, number_forms, time_forms
from .tokens import holds, tokens

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::\d{2})?)?")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-?")
_AMOUNT = re.compile(r"(?<![\w.,:])(\d+|\d{1,3}(?:[,.' ]\d{3})+)[.,](\d{2})(?![\w:]|[.,]\d)")
"""An amount of money in major units: two digits after the point, or the comma."""
_WHOLE_DAY = {(0, 0), (23, 59)}
_BARE = re.compile(r"(?<![\w$€£¥.,:/+-])#?(\d+)(?![\w:/%]|[-.,]\d)")
_MONTH_NAMES = frozenset({*MONTHS, *(name[:3] for name in MONTHS)})
_DAY_NAMES = frozenset({*DAYS, *(f"{day}s" for day in DAYS), "today", "tonight", "tomorrow", "yesterday", "weekend"})
_MEASURES = frozenset({*CURRENCIES, *(unit for unit, _ in UNITS), "am", "pm", "%", "percent"})


class Wording:
    """What `text` says on the day `today` (a date or datetime of the world)."""

    def __init__(self, text: str, today: str) -> None:
        self._today = dt.date.fromisoformat(today[:10])
        self._text = text
        self._tokens = tokens(text)

    def says(self, value: Any) -> bool:
        """Whether the text says `value`: a number or a text, which may be a date, a time or a LIKE pattern."""
        if isinstance(value, int | float):
            return self._has(number_forms(value)) or abs(value) in self._amounts
        core = str(value).strip("%").strip()
        moment = self._says_moment(core)
        return self.has_text(core) if moment is None else moment

    def has_text(self, text: str) -> bool:
        """Whether the words of `text` stand in the text, with or without a plural s."""
        return not tokens(text) or self._has((text, f"{text}s", f"{text}es", text.removesuffix("s")))

    def has_number(self, value: float) -> bool:
        """Whether the number itself is written, in digits; money also in major units."""
        return self._has((digits(value), *(f"{sign} {digits(value / 100)}" for sign in SIGNS)))

    @cached_property
    def _amounts(self) -> frozenset[int]:
        """Amounts that are written with two decimals, in minor units."""
        return frozenset(int(re.sub(r"\D", "", found[1]) + found[2]) for found in _AMOUNT.finditer(self._text))

    @cached_property
    def bare_numbers(self) -> frozenset[int]:
        """Whole numbers in digits that stand for themselves: no part of a date, time, amount, measure, code or
        phone number."""
        return frozenset(int(found[1]) for found in _BARE.finditer(self._text) if not self._measures(found))

    def _measures(self, found: re.Match[str]) -> bool:
        """Whether the words beside a number say that it is a day of a month, a time or an amount of something."""
        before, after = tokens(self._text[: found.start()])[-1:], tokens(self._text[found.end() :])[:1]
        if not _MEASURES.isdisjoint(after):
            return True
        return int(found[1]) <= 31 and not _MONTH_NAMES.isdisjoint((*before, *after))

    @cached_property
    def names_day(self) -> bool:
        """Whether some day is named: by a weekday, a month with a number beside it, a date, or from today."""
        if not _DAY_NAMES.isdisjoint(self._tokens) or any(map(_DATE.fullmatch, self._tokens)):
            return True
        pairs = zip(self._tokens, self._tokens[1:], strict=False)
        return any(not _MONTH_NAMES.isdisjoint(pair) and any(token[0].isdigit() for token in pair) for pair in pairs)

    def _says_moment(self, text: str) -> bool | None:
        """None where `text` is no date, datetime, time or month."""
        if date := _DATE.fullmatch(text):
            return self._says_date(date)
        if time := _TIME.fullmatch(text):
            return self._has(time_forms(int(time[1]), int(time[2])))
        if month := _MONTH.fullmatch(text):
            return self._has(month_forms(int(month[1]), int(month[2]), self._today))
        return None

    def _says_date(self, found: re.Match[str]) -> bool | None:
        try:
            day = dt.date(int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            return None
        if not self._has(date_forms(day, self._today)):
            return False
        time = (int(found[4]), int(found[5])) if found[4] else (0, 0)
        return time in _WHOLE_DAY or self._has(time_forms(*time))

    def _has(self, forms: Iterable[str]) -> bool:
        return any(holds(self._tokens, tokens(form)) for form in forms)


def is_date(value: Any) -> bool:
    """Whether `value` is a date, with or without a time."""
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


def is_day(value: Any) -> bool:
    """Whether `value` is a date without a time."""
    return is_date(value) and len(value) == 10


def days_within(value: Any) -> tuple[str, ...]:
    """Of a datetime the day, and where it is midnight the day that then ends: `2026-03-07 00:00:00` ends the sixth."""
    found = _DATE.fullmatch(value) if isinstance(value, str) else None
    if found is None or not found[4]:
        return ()
    day = value[:10]
    try:
        before = dt.date.fromisoformat(day) - dt.timedelta(days=1)
    except (ValueError, OverflowError):
        return ()
    return (day, before.isoformat()) if (int(found[4]), int(found[5])) == (0, 0) else (day,)


def has_phrase(text: str, phrase: str) -> bool:
    """Whether the parts of `phrase` (split at `…` or `...`) stand in `text` one after the other."""
    rest = tokens(text)
    for part in map(tokens, phrase.replace("...", "…").split("…")):
        start = next((at for at in range(len(rest) - len(part) + 1) if rest[at : at + len(part)] == part), None)
        if start is None:
            return False
        rest = rest[start + len(part) :]
    return True
