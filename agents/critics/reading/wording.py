"""What a sentence says of a bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ...tester.conditions import Operator
from ...tester.words import stem as stem

_PHRASES: tuple[tuple[str, Operator], ...] = (
    (r"at least|no (?:fewer|less|earlier) than|not (?:before|earlier than|under|below)|minimum|on or after", ">="),
    (r"or (?:more|later|higher|above)|starting from|since", ">="),
    (r"at most|no (?:more|later|longer|higher) than|not (?:after|later than|over|above)|maximum|on or before", "<="),
    (r"or (?:less|fewer|earlier|lower|below)|up to|until", "<="),
    (r"more than|greater than|later than|longer than|strictly (?:after|above)|after|above|over", ">"),
    (r"less than|fewer than|earlier than|shorter than|strictly (?:before|below)|before|below|under", "<"),
)
_LEADING: tuple[tuple[str, Operator], ...] = (
    (r"(?:only )?(?:the )?(?:fewest|lowest|smallest|least|earliest|minimum)\b", ">="),
    (r"(?:only )?(?:the )?(?:highest|largest|most|latest|maximum)\b", "<="),
)
_ALL = re.compile("|".join(f"(?P<g{index}>\\b(?:{phrase})\\b)" for index, (phrase, _) in enumerate(_PHRASES)))
_WORDS = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TENS = {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "forty-five": 45,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
}
_NUMBER = re.compile(r"\b(\d+|" + "|".join([_WORDS, *sorted(_TENS, key=len, reverse=True)]) + r")\b")


def bound_in(text: str) -> Operator | None:
    """The bound that a text names, as the operator between the value and the bound; None if it names none or
    several that differ."""
    lowered = text.lower()
    for phrase, operator in _LEADING:
        if re.match(phrase, lowered):
            return operator
    found = {_PHRASES[int(str(match.lastgroup)[1:])][1] for match in _ALL.finditer(lowered)}
    return found.pop() if len(found) == 1 else None


def numbers_in(text: str) -> Iterator[int]:
    """Whole numbers that a text names, in digits or words."""
    for match in _NUMBER.finditer(text.lower()):
        word = match[1]
        yield int(word) if word.isdigit() else _TENS[word] if word in _TENS else _WORDS.split("|").index(word)


class Quantity(NamedTuple):
    """A number of minutes (for spans of time) or of things of another unit."""

    number: int
    unit: str


_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080}
_QUANTITY = re.compile(rf"{_NUMBER.pattern}[ -](minute|hour|day|week)s?\b")
_SPAN = re.compile(r"^\s*[+-]?(\d+) (minute|hour|day)s?\s*$")


def quantities_in(text: str) -> Iterator[Quantity]:
    """Spans of time that a text names, in minutes."""
    for match in _QUANTITY.finditer(text.lower()):
        yield Quantity(next(numbers_in(match[1])) * _MINUTES[match[2]], "minutes")


def spans_in(node: exp.Expr) -> tuple[Quantity, ...]:
    """Spans of time that an expression may stand for: modifiers like '+2 hours', and plain numbers as minutes, hours
    or days."""
    literals = [node] if isinstance(node, exp.Literal) else list(node.find_all(exp.Literal))
    found: list[Quantity] = []
    for literal in literals:
        text = str(literal.this)
        span = _SPAN.match(text) if literal.is_string else None
        if span is not None:
            found.append(Quantity(int(span[1]) * _MINUTES[span[2]], "minutes"))
        elif not literal.is_string and text.isdigit():
            found += [Quantity(int(text) * minutes, "minutes") for minutes in _MINUTES.values()]
    return tuple(found)
