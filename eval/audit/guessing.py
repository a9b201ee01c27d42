"""The chance that a guess from an answer's domain is right.

choice: one of the options.
text: one of the distinct values of the seed column that the answer comes from, and of what gold saw beside it; of
    yes and no (true and false) one of two.
number: for a value of a column one of its distinct values, as for text; for a computed one a whole number from 0 to
    the answer, or to the length of the longest list that gold saw if that is more, in steps of the answer's last
    decimal.
date: as for text; for a computed one a day between the first and the last date that gold saw.
object: the product over its fields. rows: the product over all cells.
list, set: as many different items as the answer has, out of the items' domain.
Without items or rows: half.

The column is the one named like the field that the answer was taken from (`$booking.guest_name`); texts and dates
whose field is named otherwise come from the smallest column that holds them. An answer in no domain is not guessed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from math import comb, prod
from typing import Any, Literal

from ...environments.answer_matching.dates import read_moment
from ...environments.answer_matching.matching import scalars_match
from ...environments.answer_matching.numbers import read_number
from ...environments.models import Answer

ScalarKind = Literal["text", "number", "date", "choice"]
_POLAR = ({"yes", "no"}, {"true", "false"})
_EMPTY = 0.5
_COARSE = 100_000
"""Domains beyond this size are not enumerated."""


Source = str | Mapping[str, str] | None
"""The field that an answer was taken from; one for each field of an object."""


class Seen:
    """Values that gold's tool calls returned, by field, and the seed state's columns.

    `columns` gives the sets of distinct values of the seed columns of a name, or of all seed columns for None.
    """

    def __init__(self, results: Iterable[Any], columns: Callable[[str | None], Sequence[set[Any]]]) -> None:
        self.fields: dict[str, set[Any]] = {}
        self.longest = 0
        self._columns = columns
        for result in results:
            self._walk("value", result)

    def _walk(self, field: str, value: Any) -> None:
        if isinstance(value, Mapping):
            for name, inner in value.items():
                self._walk(name, inner)
        elif isinstance(value, list):
            self.longest = max(self.longest, len(value))
            for inner in value:
                self._walk(field, inner)
        elif value is not None:
            self.fields.setdefault(field, set()).add(value)

    def named(self, field: str | None, matches: Callable[[Any], bool]) -> set[Any]:
        """The smallest seed column named `field` that holds a matching value; empty if there is none."""
        return _smallest(self._columns(field), matches) if field else set()

    def anywhere(self, field: str | None, matches: Callable[[Any], bool]) -> set[Any]:
        """The smallest seed column that holds a matching value, with what gold saw as `field`."""
        beside = self.fields.get(field, set()) if field else set()
        found = _smallest(self._columns(None), matches) | beside
        return found if len(found) > 1 else set()

    def dates(self) -> list[dt.date]:
        moments = (
            read_moment(value) for values in self.fields.values() for value in values if isinstance(value, str)
        )
        return sorted(moment.date for moment in moments if moment and moment.date)


def guess_chance(answer: Answer, expected: Any, seen: Seen, source: Source = None) -> float:
    """The chance that one guess passes; `expected` is the right answer."""
    fields = source if isinstance(source, Mapping) else {}
    if answer.kind == "object":
        return _record_chance(answer, answer.fields, expected, seen, fields)
    if answer.kind == "rows":
        if not expected:
            return _EMPTY
        return prod(_record_chance(answer, answer.columns, row, seen, {}) for row in expected)
    field = source if isinstance(source, str) else None
    if answer.kind == "list" or answer.kind == "set":
        return _items_chance(answer, list(expected), seen, field)
    if answer.kind == "none":
        return 1.0
    return _scalar_chance(answer, answer.kind, expected, seen, field)


def _record_chance(
    answer: Answer, kinds: Mapping[str, ScalarKind], record: Mapping[str, Any], seen: Seen, fields: Mapping[str, str]
) -> float:
    return prod(
        _scalar_chance(answer, kind, record.get(name), seen, fields.get(name, name)) for name, kind in kinds.items()
    )


def _items_chance(answer: Answer, expected: Sequence[Any], seen: Seen, field: str | None) -> float:
    if not expected:
        return _EMPTY
    size = len(_domain(answer, answer.of, expected[0], seen, field))
    return 1 / comb(max(size, len(expected)), len(expected)) if size else 0.0


def _scalar_chance(answer: Answer, kind: ScalarKind, expected: Any, seen: Seen, field: str | None) -> float:
    if expected is None:
        return _EMPTY
    if kind == "choice":
        return 1 / max(1, len(answer.options))
    if kind == "text" and any(str(expected).casefold() in words for words in _POLAR):
        return 0.5
    domain = _domain(answer, kind, expected, seen, field)
    if domain:
        return sum(scalars_match(answer, kind, expected, value) for value in domain) / len(domain)
    return _computed_number(answer, expected, seen.longest) if kind == "number" else 0.0


def _domain(answer: Answer, kind: ScalarKind, expected: Any, seen: Seen, field: str | None) -> set[Any]:
    def matches(value: Any) -> bool:
        return scalars_match(answer, kind, expected, value)

    found = seen.named(field, matches)
    if kind == "number":
        return {number for value in found if (number := read_number(value)) is not None}
    found = found or seen.anywhere(field, matches)
    return _days_between(seen.dates(), expected) if kind == "date" and not found else found


def _days_between(dates: Sequence[dt.date], expected: Any) -> set[Any]:
    wanted = read_moment(expected)
    if not dates or wanted is None or wanted.date is None:
        return set()
    first, last = min(dates[0], wanted.date), max(dates[-1], wanted.date)
    return {(first + dt.timedelta(days=day)).isoformat() for day in range(min((last - first).days + 1, _COARSE))}


def _computed_number(answer: Answer, expected: Any, longest: int) -> float:
    number = read_number(expected)
    if number is None:
        return 0.0
    exponent = number.normalize().as_tuple().exponent
    step = Decimal(1).scaleb(min(0, exponent if isinstance(exponent, int) else 0))
    size = int(max(abs(number), Decimal(longest)) / step) + 1
    right = 2 * int(Decimal(repr(answer.tolerance)) / step) + 1
    return min(1.0, right / size)


def _smallest(columns: Sequence[set[Any]], matches: Callable[[Any], bool]) -> set[Any]:
    return min((values for values in columns if any(map(matches, values))), key=len, default=set())
