"""Ids as texts that name their table: `BKN-00318` for row 318 of bookings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from ..schema import TableInfo
from .origins import target

_DIGITS: Final = 5
_LETTERS: Final = 3
_VOWELS: Final = re.compile("[aeiou_0-9]")

Ids = Mapping[tuple[str, str], "Prefix"]
"""(table, column) → how the ids that stand there are written."""


class Prefix:
    """How the ids of one table are written. Anything but a number from 0 is left as it is."""

    __slots__ = ("_fits", "pattern", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pattern = f"^{text}-([0-9]{{{_DIGITS}}}|[1-9][0-9]{{{_DIGITS},17}})$"
        self._fits = re.compile(self.pattern)

    def written(self, value: Any) -> Any:
        return f"{self.text}-{value:0{_DIGITS}}" if type(value) is int and value >= 0 else value

    def number(self, value: Any) -> Any:
        """The id that a text names; anything else as it is."""
        if isinstance(value, str) and self._fits.fullmatch(value):
            return int(value[len(self.text) + 1 :])
        return value


def ids_of(tables: Mapping[str, TableInfo], certain: Collection[str]) -> Ids:
    """The prefixes of the tables named in `certain`, wherever their ids stand."""
    prefixes = prefixes_of(name for name in tables if name in certain)
    places = ((table.name, column.name) for table in tables.values() for column in table.columns)
    return {place: prefixes[named] for place in places if (named := target(place, tables)) in prefixes}


def prefixes_of(names: Iterable[str]) -> dict[str, Prefix]:
    """A prefix for each name, no two alike."""
    found: dict[str, Prefix] = {}
    taken = set[str]()
    for name in names:
        text = next(text for text in _candidates(name) if text not in taken)
        taken.add(text)
        found[name] = Prefix(text)
    return found


def _candidates(name: str) -> Iterator[str]:
    """Initials and the consonants after them, then other letters, then numbers."""
    *heads, last = [word for word in name.split("_") if word.isalpha()] or ["row"]
    initials = "".join(word[0] for word in heads)[: _LETTERS - 1]
    consonants = initials + last[0] + _VOWELS.sub("", last[1:])
    yield consonants[:_LETTERS].upper()
    yield (initials + last)[:_LETTERS].upper()
    yield consonants[: _LETTERS + 1].upper()
    yield from (f"{consonants[:_LETTERS].upper()}{number}" for number in count(2))
