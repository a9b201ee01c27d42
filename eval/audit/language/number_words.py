"""Numbers in English words. (The library for it takes two seconds to import, in each worker.)"""

from __future__ import annotations

from functools import lru_cache

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_LARGEST = 999_999


@lru_cache(maxsize=2048)
def number_words(number: int) -> tuple[str, ...]:
    """`two hundred and six` and `two hundred six`; nothing above 999,999."""
    if not 0 <= number <= _LARGEST:
        return ()
    return tuple(dict.fromkeys((_words(number, "and "), _words(number, ""))))


def ordinal(number: int) -> str:
    """`21st`."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def ordinal_word(number: int) -> str:
    """`twenty-first`, for numbers below a hundred."""
    lead, dash, last = _words(number, "").rpartition("-")
    named = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{lead}{dash}{named}"


def _words(number: int, joint: str) -> str:
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    count, rest = divmod(number, size)
    link = joint if rest < 100 else ""
    return f"{_words(count, joint)} {name}" + (f" {link}{_words(rest, joint)}" if rest else "")
