"""Values that a verifier's own constants suggest: where a condition that is too wide lets something else in.

`party_size >= 3` is asked about 3, 2 and 4; `table_id IN (529, 538)` about both; `starts_at < '2026-03-08 00:00:00'`
about times around it; `note LIKE '%window%'` about a note that says no more. Found by column name, whatever table it
belongs to and whatever function it goes through.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import lru_cache

from sqlglot import exp

from ...environments.models import Verifier
from ..sql_trees import parsed
from .sql_literals import Value, is_same_text, literal_value

Hints = Mapping[str, tuple[Value, ...]]
"""Column → values to try."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Like, exp.Glob)
_MOST = 8
_DATETIME = "%Y-%m-%d %H:%M:%S"


def hints_of(verifier: Verifier) -> Hints:
    limits = [limit.where for allow in verifier.allow if (limit := allow.insert or allow.delete) and limit.where]
    texts = [*verifier.bind.values(), *(check.sql for check in verifier.require), *limits]
    found: dict[str, dict[Value, None]] = {}
    for text in texts:
        for column, value in _compared(text):
            found.setdefault(column, {}).update(dict.fromkeys(_around(value)))
    return {column: tuple(values)[:_MOST] for column, values in found.items()}


@lru_cache(maxsize=2048)
def _compared(sql: str) -> tuple[tuple[str, Value], ...]:
    """Each constant with each column that stands in the same comparison."""
    tree = parsed(sql)
    if tree is None:
        return ()
    return tuple(
        (column.name, literal_value(literal))
        for comparison in tree.find_all(*_COMPARISONS, exp.Anonymous)
        if _compares(comparison)
        for literal in _own(comparison, exp.Literal)
        for column in _own(comparison, exp.Column)
        if isinstance(column, exp.Column)
    )


def _compares(node: exp.Expr) -> bool:
    """Whether a node is a comparison; other functions are what one goes through."""
    return isinstance(node, _COMPARISONS) or is_same_text(node)


def _own(comparison: exp.Expr, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """What a comparison compares, queries inside it aside."""
    for found in comparison.find_all(kind):
        inner = found.find_ancestor(exp.Select, *_COMPARISONS, exp.Anonymous)
        while inner is not None and not isinstance(inner, exp.Select) and not _compares(inner):
            inner = inner.find_ancestor(exp.Select, *_COMPARISONS, exp.Anonymous)
        if inner is comparison:
            yield found


def _around(value: Value) -> Iterator[Value]:
    if isinstance(value, int | float):
        yield from (value, value + 1, value - 1)
        return
    text = value.strip("%_*")
    yield text
    if moment := _moment(text):
        half_an_hour = dt.timedelta(minutes=30)
        yield from ((moment + shift).strftime(_DATETIME) for shift in (-half_an_hour, half_an_hour))
    elif text != value:
        yield f"{text}, or something else with {text}"


def _moment(text: str) -> dt.datetime | None:
    try:
        return dt.datetime.strptime(text, _DATETIME)
    except ValueError:
        return None
