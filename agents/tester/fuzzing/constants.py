"""Numbers and spans of time that a tool's guards compare with: the edges where calls begin to be refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from sqlglot import exp

from ..queries import Query

_SPAN = re.compile(r"^([+-])(\d{1,5}) (minute|hour|day|month|year)s?$")
_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "month": 43_200, "year": 525_600}
_MOST = 1_000_000


class Constants(NamedTuple):
    """Plain numbers, and spans from now."""

    numbers: tuple[int, ...]
    spans: tuple[timedelta, ...]


def constants_of(queries: Iterable[Query]) -> Constants:
    """What the guards, look-ups and conditions of a tool hold. A plain number may also be minutes, hours or days."""
    trees = [query.tree for query in queries if query.tree is not None]
    literals = [literal for tree in trees for literal in tree.find_all(exp.Literal)]
    numbers = sorted({int(literal.this) for literal in literals if not literal.is_string and literal.this.isdigit()})
    kept = tuple(number for number in numbers if 1 < number < _MOST)
    return Constants(kept, tuple(sorted({*_written(literals), *_counted(kept)})))


def _written(literals: Iterable[exp.Literal]) -> Iterator[timedelta]:
    for literal in literals:
        found = _SPAN.match(literal.this.strip()) if literal.is_string else None
        if found is not None:
            sign = 1 if found[1] == "+" else -1
            yield sign * timedelta(minutes=int(found[2]) * _MINUTES[found[3]])


def _counted(numbers: Iterable[int]) -> Iterator[timedelta]:
    for number in numbers:
        yield timedelta(minutes=number)
        if number <= 400:
            yield from (timedelta(hours=number), timedelta(days=number))
