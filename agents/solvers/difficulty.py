"""How hard a step of gold is for the simulated solver, on the scale of its ability (logits).

Numbers are chosen, not fitted: a plain look-up by name is easy, choosing among many alike rows by what must be worked
out is hard, and long tasks strain every step. A mistake happens with probability logistic(difficulty - ability).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_ORDERED = re.compile(r"\border\s+by\b", re.IGNORECASE)
_AGGREGATE = re.compile(r"\b(?:count|sum|avg|min|max|total|group_concat)\s*\(", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:and|or|where)\b", re.IGNORECASE)

SCALE = 1
"""Counts changes of the numbers below: with another scale a solver is another one."""
READ = -2.5
WRITE = -2.4
PICK = -2.7
ANSWER = -2.3
OVERLOOK = -0.8
"""Not seeing that a rule forbids what is asked."""
INSIST = -1.0
"""Saying that it is done although the world has just refused it."""
RULE = -2.5
"""Naming another rule than the one that forbids it."""
SCRUPLE = -4.0
"""Refusing what no rule forbids, where rules stand to choose from."""
PER_DOUBLING_OF_RULES = 0.3
STOP = -4.0
"""Stopping before the next step, thinking that all is done."""
PER_CALL = 0.09
"""Strain of each call that the task takes beyond the second."""
PER_REFERENCE = 0.2
"""An argument that comes from an earlier result."""
PER_ARGUMENT = 0.25
PER_DOUBLING = 0.3
"""Each doubling of the rows that a pick sees."""
PER_LOOKALIKE = 0.6
"""Doublings of the rows that look like the right one."""
PER_CONDITION = 0.2
COMMON_ROWS = 4
"""A word in more rows than this, and in most of them, tells nothing apart."""
INDIRECT = (0.0, 1.3, 1.8)
"""A phrase by name, a description, something to be worked out."""
ORDERED = 0.5
AGGREGATED = 0.7


class PickSight(NamedTuple):
    """What a pick looks at: rows, how many look like the right one, and how indirect the phrase is (0-2)."""

    rows: int
    lookalikes: int
    indirect: int


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def strain(calls: int) -> float:
    """What the length of a task adds to each step."""
    return PER_CALL * max(0, calls - 2)


def call_difficulty(args: Mapping[str, Any], *, writes: bool) -> float:
    """Of a call, by how many arguments it takes and how many of them come from earlier results."""
    references = sum(isinstance(value, str) and value.startswith("$") for value in args.values())
    return (WRITE if writes else READ) + PER_ARGUMENT * len(args) + PER_REFERENCE * references


def rules(options: int) -> float:
    """What having to read `options` rules adds to choosing among them."""
    return PER_DOUBLING_OF_RULES * math.log2(max(1, options))


def pick_difficulty(sql: str, sight: PickSight) -> float:
    """Of choosing a row, or of working something out over rows."""
    size = PER_DOUBLING * math.log2(max(1, sight.rows))
    alike = PER_LOOKALIKE * math.log2(1 + sight.lookalikes)
    ordered = ORDERED if _ORDERED.search(sql) and sight.rows > 1 else 0.0
    aggregated = AGGREGATED if _AGGREGATE.search(sql) else 0.0
    conditions = PER_CONDITION * len(_CONDITION.findall(sql))
    return PICK + size + alike + ordered + aggregated + conditions + INDIRECT[min(sight.indirect, 2)]


def lookalikes(rows: Sequence[Mapping[str, Any]], right: Mapping[str, Any]) -> int:
    """How many other rows share with the right one a word of a name, or a day, that is not common to most rows."""
    marks = [_marks(row) for row in rows]
    own = _marks(right)
    common = {mark for mark in own if sum(mark in other for other in marks) > max(COMMON_ROWS, len(rows) // 2)}
    telling = own - common
    return sum(row is not right and not telling.isdisjoint(other) for row, other in zip(rows, marks, strict=True))


def _marks(row: Mapping[str, Any]) -> set[str]:
    """Words of texts with spaces (names, titles), and days of moments."""
    found: set[str] = set()
    for value in row.values():
        if isinstance(value, str) and " " in value and len(value) <= 60:
            words = value.replace("-", " ").split()
            found.update([value[:10]] if value[:1].isdigit() else (word for word in words if len(word) > 2))
    return found
