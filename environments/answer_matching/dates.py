"""Reading dates and times as people write them, as long as there is one way to read them."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

_LONGEST = 80
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "–": "-", "−": "-"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?")
_CLOCK = re.compile(
    r"(?:(?<=\d)t|\b)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?\s*(?P<half>[ap]\.?m\b\.?)?(?P<zone>z\b)?"
)
_DOTTED = re.compile(
    r"(?<![\d.])(?P<hour>\d{1,2})[.h](?P<minute>\d{2})(?![\d.])\s*(?P<half>[ap]\.?m\b\.?)?(?P<zone>z\b)?"
)
_NOON = re.compile(r"\b(?:12 )?noon\b")
_HOUR = re.compile(r"\b(?P<hour>\d{1,2})\s*(?P<half>[ap]\.?m\b\.?)")
_FILLER = re.compile(r"\b(?:of|the|at|on)\b|(?<=\d)(?:st|nd|rd|th)\b|,")
_FORMS = (
    re.compile(r"(?P<year>\d{4})[-/. ](?P<month>\d{1,2})[-/. ](?P<day>\d{1,2})"),
    re.compile(r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"),
    re.compile(r"(?P<day>\d{1,2})[-/. ](?P<month>\d{1,2})[-/. ](?P<year>\d{4})"),
    re.compile(r"(?P<month>\d{1,2})[-/. ](?P<day>\d{1,2})[-/. ](?P<year>\d{4})"),
    re.compile(rf"(?P<day>\d{{1,2}})[-/ ]{_MONTH}\.?[-/ ](?P<year>\d{{4}})"),
    re.compile(rf"{_MONTH}\.?[-/ ](?P<day>\d{{1,2}})[-/ ](?P<year>\d{{4}})"),
    re.compile(rf"(?P<year>\d{{4}})[-/ ]{_MONTH}\.?[-/ ](?P<day>\d{{1,2}})"),
)


class Moment(NamedTuple):
    """A date, a time of day, or both."""

    date: dt.date | None
    time: dt.time | None


def read_moment(value: Any) -> Moment | None:
    """What `value` (a text or a date) states; None if it states nothing, or can be read in two ways.

    `03/06/2026` is the 3rd of June or the 6th of March: None; `06/06/2026` and `25/06/2026` have one reading.
    A weekday that does not fit the date makes it None.
    """
    if isinstance(value, dt.datetime):
        return Moment(value.date(), value.time().replace(microsecond=0, tzinfo=None))
    if isinstance(value, dt.date):
        return Moment(value, None)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    straight = unicodedata.normalize("NFKC", value).translate(_DASHES)
    return _read_text(" ".join(straight.casefold().split()))


def same_moment(expected: Moment, given: Moment) -> bool:
    """Whether `given` states `expected`. A time beyond a date that was asked for does not count."""
    if expected.date != given.date:
        return False
    if expected.time is None:
        return True
    return (given.time or dt.time()) == expected.time


def _read_text(text: str) -> Moment | None:
    if text == "midnight":  # Of a date it is unclear which of two.
        return Moment(None, dt.time())
    text, weekday = _cut(_WEEKDAY, _NOON.sub("12:00", text))
    for forms in ((_CLOCK, _HOUR), (_DOTTED,)):
        for form in forms:
            rest, clock = _cut(form, text)
            if clock is not None:
                break
        found = _moment(rest, clock, weekday)
        if found is not None or clock is not None:
            return found
    return None


def _moment(text: str, clock: re.Match[str] | None, weekday: re.Match[str] | None) -> Moment | None:
    """What is left once a time and a weekday are cut out must be one date, or nothing."""
    time = _time(clock) if clock else None
    if clock and time is None:
        return None
    rest = " ".join(_FILLER.sub(" ", text).split())
    if not rest:
        return Moment(None, time) if time and not weekday else None
    dates = set(_dates(rest))
    if len(dates) != 1:
        return None
    (date,) = dates
    fits = weekday is None or date.weekday() == _WEEKDAYS.index(weekday[1][:3])
    return Moment(date, time) if fits else None


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, re.Match[str] | None]:
    """`text` without the first match of `pattern`, and the match."""
    found = pattern.search(text)
    return (f"{text[: found.start()]} {text[found.end() :]}" if found else text), found


def _time(clock: re.Match[str]) -> dt.time | None:
    parts = clock.groupdict()
    hour, half = int(parts["hour"]), parts["half"]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    try:
        return dt.time(hour, int(parts.get("minute") or 0), int(parts.get("second") or 0))
    except ValueError:
        return None


def _dates(text: str) -> Iterator[dt.date]:
    """Every date that `text` can be read as."""
    for form in _FORMS:
        if found := form.fullmatch(text):
            month = found["month"]
            number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
            try:
                yield dt.date(int(found["year"]), number, int(found["day"]))
            except ValueError:
                continue
