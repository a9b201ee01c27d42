"""Whether lists stand in the order that they declare, by the values that they show.

Orders name columns of the result, so every key is there to look at. Keys that are more than a column are left out, and
all behind them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sqlglot import exp

from ...environments.models import OrderOptions
from ...environments.resolution import ResolvedTool
from .trees import parse

_NUMBER = re.compile(r"-?(0|[1-9]\d{0,15})(\.\d+)?")
"""Not codes, which may begin with zeros."""


class Key(NamedTuple):
    column: str
    descending: bool


def orders_of(tool: ResolvedTool) -> Mapping[str | None, str]:
    """The orders that a caller may choose, by `sort`; None for the only one."""
    order = tool.returns.order if tool.returns is not None else None
    if isinstance(order, OrderOptions):
        return {sort: by for sort, by in order.options.items()}
    return {None: order} if order is not None else {}


def keys_of(order: str, items: Sequence[Mapping[str, Any]]) -> tuple[tuple[Key, ...], bool]:
    """The keys of an order that the items show, and whether these are all of them."""
    tree = parse(f"SELECT 1 FROM listed ORDER BY {order}")
    by = tree.args.get("order") if tree is not None else None
    found: list[Key] = []
    for part in by.expressions if by is not None else ():
        plain = part.this if isinstance(part, exp.Ordered) else part
        if not isinstance(plain, exp.Column) or plain.name not in items[0]:
            return tuple(found), False
        found.append(Key(plain.name, bool(part.args.get("desc"))))
    return tuple(found), bool(found)


def tied(items: Sequence[Mapping[str, Any]], keys: Sequence[Key]) -> bool:
    """Whether two neighbours have the same values of all keys, so that a page may begin with either."""
    return any(all(one[key.column] == other[key.column] for key in keys) for one, other in pairwise(items))


def misplaced(items: Sequence[Mapping[str, Any]], keys: Sequence[Key]) -> str | None:
    """The first key by whose numbers a row stands before one that it should follow; texts that are all numbers, as of
    amounts made into texts, count as numbers. Of other texts the collation decides: they are taken as they come."""
    numbers = {key.column: _numbers([item[key.column] for item in items]) for key in keys}
    for index in range(len(items) - 1):
        for key in keys:
            if items[index][key.column] == items[index + 1][key.column]:
                continue
            left, right = numbers[key.column][index : index + 2] or (None, None)
            if left is not None and right is not None and (left > right) != key.descending:
                return key.column
            break
    return None


def _numbers(shown: Sequence[Any]) -> list[float | None]:
    """The values as numbers; empty if one of them is no number."""
    if not all(value is None or isinstance(value, int | float) or _NUMBER.fullmatch(str(value)) for value in shown):
        return []
    return [None if value is None else float(value) for value in shown]
