"""The ways in which numbers, dates and times are said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from .number_words import number_words, ordinal, ordinal_word

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SIGNS = ("$", "€", "£", "¥")
CURRENCIES = ("dollars", "dollar", "usd", "euros", "euro", "eur", "pounds", "gbp")
UNITS = (
    *(("minutes", 60), ("hours", 60), ("hours", 3600), ("days", 24), ("days", 1440), ("weeks", 7)),
    *(("months", 12), ("years", 12), ("years", 365)),
)
"""A unit, and how many of a smaller one it is."""
_SMALL = {
    0: ("no", "none", "zero", "free", "nothing"),
    1: ("a", "an", "one", "once", "single", "first"),
    2: ("two", "both", "pair", "couple", "twice", "second"),
    3: ("three", "thrice"),
    12: ("dozen",),
    30: ("half an hour", "half hour"),
    90: ("an hour and a half", "one and a half hours", "hour and a half"),
}


def number_forms(value: float) -> Iterator[str]:
    """How a quantity may be said: digits, words, an amount in major units, a percentage, a longer unit."""
    value = abs(value)
    yield digits(value)
    if value != int(value):
        yield from _fraction_forms(value)
        return
    number = int(value)
    yield from _SMALL.get(number, ())
    yield from number_words(number)
    yield from (word.replace("one ", "a ", 1) for word in number_words(number) if word.startswith("one "))
    yield from (ordinal(number), ordinal_word(number)) if 0 < number < 100 else ()
    major = digits(number / 100)
    yield from (f"{sign} {major}" for sign in SIGNS)
    for amount in (major, *number_words(number // 100)) if number % 100 == 0 else (major,):
        yield from (f"{amount} {currency}" for currency in CURRENCIES)
    for unit, factor in UNITS:
        if number and number % factor == 0:
            yield from _unit_forms(number // factor, unit)


def date_forms(day: dt.date, today: dt.date) -> Iterator[str]:
    """How a day may be said, seen from `today`."""
    month, number = MONTHS[day.month - 1], day.day
    yield from (day.isoformat(), f"the {ordinal(number)}", f"the {ordinal_word(number)}")
    for name in (month, month[:3]):
        for spoken in (str(number), ordinal(number), ordinal_word(number)):
            yield from (f"{name} {spoken}", f"{spoken} {name}", f"{spoken} of {name}", f"{name} the {spoken}")
    yield from _relative_forms(day, (day - today).days)
    yield from _bound_forms(day, today)


def month_forms(year: int, month: int, today: dt.date) -> Iterator[str]:
    """How a month may be said."""
    name = MONTHS[month - 1]
    yield from (name, name[:3], f"{year}-{month:02}")
    offset = (year - today.year) * 12 + month - today.month
    yield from {-1: ("last month",), 0: ("this month", "the month"), 1: ("next month",)}.get(offset, ())


def time_forms(hour: int, minute: int) -> Iterator[str]:
    """How a time of day may be said. Hours without am or pm are understood either way."""
    twelve, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    yield from (f"{hour:02}:{minute:02}", f"{hour}:{minute:02}", f"{twelve}:{minute:02}", f"{twelve}.{minute:02}")
    if minute == 0:
        yield from (f"{twelve} {half}", str(hour), str(twelve), *number_words(twelve))
        yield from {0: ("midnight",), 12: ("noon", "midday")}.get(hour, ())
    named = {15: ("quarter past", twelve), 30: ("half past", twelve), 45: ("quarter to", twelve % 12 + 1)}
    if minute in named:
        lead, at = named[minute]
        yield from (f"{lead} {at}", *(f"{lead} {word}" for word in number_words(at)))
    for spoken in number_words(twelve):
        yield from (f"{spoken} {word}" for word in number_words(minute))


def digits(value: float) -> str:
    """`20` or `4.5`, without exponent and trailing zeros."""
    return str(int(value)) if value == int(value) else f"{value:.10f}".rstrip("0")


def _fraction_forms(value: float) -> Iterator[str]:
    percent = digits(round(value * 100, 8))
    yield from (f"{percent} %", f"{percent} percent", f"{percent} per cent")
    yield from {0.5: ("half", "halve"), 0.25: ("quarter",), 0.75: ("three quarters",)}.get(value, ())
    yield from (f"{sign} {digits(value)}" for sign in SIGNS)


def _unit_forms(count: int, unit: str) -> Iterator[str]:
    one = unit.removesuffix("s")
    if count == 1:
        yield from (f"a {one}", f"an {one}", f"one {one}", f"1 {one}")
    for spoken in (str(count), *number_words(count)):
        yield from (f"{spoken} {unit}", f"{spoken} {one}")


def _relative_forms(day: dt.date, days: int) -> Iterator[str]:
    yield from {
        -1: ("yesterday", "last night"),
        0: ("today", "tonight", "this evening", "this morning", "this afternoon"),
        1: ("tomorrow",),
        2: ("day after tomorrow",),
    }.get(days, ())
    if -7 <= days <= 14:
        yield from (DAYS[day.weekday()], f"{DAYS[day.weekday()]}s", DAYS[day.weekday()][:3])
        yield from ("weekend",) if day.weekday() >= 5 else ()
    for unit, length in (("day", 1), ("week", 7)):
        if days and days % length == 0:
            count = abs(days) // length
            for spoken in (str(count), *number_words(count), *(("a",) if count == 1 else ())):
                yield from (f"{spoken} {unit}", f"{spoken} {unit}s")


def _bound_forms(day: dt.date, today: dt.date) -> Iterator[str]:
    """Words for the months, years and weeks of which `day` is the first day, the last, or the day after."""
    before, after = day - dt.timedelta(days=1), day + dt.timedelta(days=1)
    if day.day == 1 or after.day == 1:
        yield from month_forms(day.year, day.month, today)
    if day.day == 1:
        yield from month_forms(before.year, before.month, today)
    if (after if after.day == 1 else day).timetuple().tm_yday == 1:
        yield from (str(day.year), str(before.year))
    if day.weekday() in (0, 6):
        weeks = ((day - today).days + today.weekday()) // 7
        yield from {-1: ("last week",), 0: ("week",), 1: ("next week", "week"), 2: ("next week",)}.get(weeks, ())
