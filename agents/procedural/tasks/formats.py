"""Values as people write them: money, dates, times, counts, lists; and placeholders in text.

`{name}` takes the value as it is, `{name:money}` through one of `FORMATS`. Dates and times are the world's
(`YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS`); money is integer minor units.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from .. import inflection

PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)(?::([a-z_]+)(?: ([^{}]*))?)?\}")
"""`{name}`, `{slot.column}`, `{name:format}` or `{name:format argument}`."""

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def plural(noun: str, count: int = 2) -> str:
    """`noun` for `count` of them."""
    return noun if count == 1 else inflection.plural(noun)


def counted(count: int, noun: str) -> str:
    """`one guest`, `three guests`, `12 guests`."""
    number = NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"
    return f"{number} {plural(noun, count)}"


def money(amount: int) -> str:
    """Minor units as dollars: `$20`, `$1,049.50`."""
    sign, amount = ("-" if amount < 0 else ""), abs(int(amount))
    return f"{sign}${amount // 100:,}" + (f".{amount % 100:02d}" if amount % 100 else "")


def moment(value: str) -> datetime:
    return datetime.fromisoformat(value)


def long_date(value: str, today: date) -> str:
    """`Friday 6 March`; with the year when it is not within half a year of `today`."""
    day = moment(value).date()
    text = f"{day:%A} {day.day} {day:%B}"
    return text if abs(day - today) < timedelta(days=183) else f"{day.day} {day:%B} {day.year}"


def clock_time(value: str) -> str:
    """`7:30 pm`, `9 am`, `noon`; of a datetime or `HH:MM`."""
    time = moment(value).time() if len(value) > 8 else datetime.strptime(value[:5], "%H:%M").time()
    if (time.hour, time.minute) == (12, 0):
        return "noon"
    hour, half = (time.hour % 12 or 12), ("am" if time.hour < 12 else "pm")
    return f"{hour}:{time.minute:02d} {half}" if time.minute else f"{hour} {half}"


def ordinal(number: int) -> str:
    """`first`, `second`, … `11th`."""
    if 0 < number < len(ORDINALS):
        return ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def joined(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def _listed(value: Any) -> str:
    return joined([str(item) for item in value])


Format = Callable[[Any, str, date], str]
FORMATS: Mapping[str, Format] = {
    "money": lambda value, _, today: money(value),
    "date": lambda value, _, today: long_date(value, today),
    "day": lambda value, _, today: long_date(value, today),
    "time": lambda value, _, today: clock_time(value),
    "datetime": lambda value, _, today: f"{long_date(value, today)} at {clock_time(value)}",
    "month": lambda value, _, today: f"{moment(value):%B}" + _year(value, today),
    "iso_day": lambda value, _, today: str(value)[:10],
    "iso_time": lambda value, _, today: str(value)[11:16],
    "iso": lambda value, _, today: str(value),
    "list": lambda value, _, today: _listed(value),
    "count": lambda value, noun, today: counted(value, noun),
    "number": lambda value, _, today: f"{value:,}",
    "ordinal": lambda value, _, today: ordinal(value),
    "words": lambda value, _, today: str(value).replace("_", " "),
    "quoted": lambda value, _, today: f'"{value}"',
    "percent": lambda value, _, today: f"{value}%",
    "a": lambda value, _, today: f"{inflection.article(str(value))} {value}",
    "plural": lambda value, _, today: plural(str(value)),
}


def _year(value: str, today: date) -> str:
    return "" if moment(value).year == today.year else f" {moment(value).year}"


def fill(text: str, values: Mapping[str, Any], today: date) -> str:
    """`text` with its placeholders filled. Raises KeyError for a name or format that does not exist."""
    return PLACEHOLDER.sub(lambda match: _filled(match, values, today), text)


def fill_sentences(text: str, values: Mapping[str, Any], today: date) -> str:
    """As `fill`, for whole sentences: what stands at the beginning of one gets a capital."""

    def replace(match: re.Match[str]) -> str:
        filled = _filled(match, values, today)
        begins = _BEGINNING.search(text, 0, match.start()) is not None
        return filled[:1].upper() + filled[1:] if begins else filled

    return sentence(PLACEHOLDER.sub(replace, text))


_DOUBLED = re.compile(r'"[^"]*"|\b(\w+) \1\b')


def undoubled(text: str) -> str:
    """`text` without a word that is there twice in a row ("the full season season"), but in quotations."""
    return _DOUBLED.sub(lambda match: match[1] or match[0], text)


_BEGINNING = re.compile(r"(?:^|[.?!]\s+)$")


def _filled(match: re.Match[str], values: Mapping[str, Any], today: date) -> str:
    name, form, argument = match.groups()
    value = values[name]
    return FORMATS[form](value, argument or "", today) if form else str(value)


def fill_value(text: str, values: Mapping[str, Any], today: date) -> Any:
    """As `fill`, but a text that is exactly one `{name}` keeps the value's type."""
    match = PLACEHOLDER.fullmatch(text)
    if match and not match.group(2):
        return values[match.group(1)]
    return fill(text, values, today)


def names_in(text: str) -> set[str]:
    """The names that the placeholders of `text` use."""
    return {match.group(1) for match in PLACEHOLDER.finditer(text)}


def sentence(text: str) -> str:
    """`text` with a capital first letter and a full stop, if it has no end of its own."""
    text = text.strip()
    end = "" if text.removesuffix('"').endswith((".", "?", "!")) else "."
    return text[:1].upper() + text[1:] + end
