"""A list sorted against what its words say.

Stands for ASC where DESC was meant: "newest first" from the oldest on, `cheapest` from the most expensive. Words are
those of the tool's description, for a fixed order, and the names of the orders it offers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from ....environments.models import Expectation, Finding, OrderOptions, Probe
from ....environments.resolution import ResolvedTool
from ..reading.base import Context, again, finding, shown

KIND = "order_unlike_words"
_DOWN = r"newest|latest|most recent|best|top|highest|largest|biggest|most expensive|priciest|descending"
_UP = r"oldest|earliest|soonest|cheapest|lowest|smallest|fewest|least|ascending|alphabetical|nearest"
_FIRST = re.compile(
    rf"\b(?:(?P<down>{_DOWN})|(?P<up>{_UP}))(?: \w+){{0,2}} first\b|\b(?P<alphabet>alphabetical(?:ly)?)\b"
)
_NAME = re.compile(rf"(?:(?P<down>{_DOWN.replace(' ', '_')}|desc)|(?P<up>{_UP.replace(' ', '_')}|asc))(?:_|$)")
_ALPHABETICAL = ("name", "title")
_RANK = re.compile(r"^\w*(position|rank|sequence|place|queue)\w*\b")
_UPWARD_DOWN = ("best", "top")


class _Order(NamedTuple):
    where: str
    sql: str
    down: bool
    words: str
    sort: str | None


def check(context: Context) -> Iterator[Finding]:
    for tool in context.anatomy.tools.values():
        for order in _orders(tool):
            term = _first_term(order.sql)
            if term is not None and _descends(term) != order.down and not _ranks(term, order):
                message = f"{tool.name}: {order.words!r} is sorted by {order.sql}."
                calls = _calls(context, tool, order, term)
                probe = again(KIND) if calls is None else shown(context, KIND, calls)
                yield finding(KIND, "major", order.where, message, probe=probe, order=order.sql)


def _ranks(term: exp.Ordered, order: _Order) -> bool:
    """Whether up and down say little: "best" by a rank or position counts from one."""
    return isinstance(term.this, exp.Column) and order.words.startswith(_UPWARD_DOWN) and "rank" in term.this.name


def _orders(tool: ResolvedTool) -> Iterator[_Order]:
    order = tool.returns.order if tool.returns is not None else None
    place = f"tools.{tool.name}.returns.order"
    if isinstance(order, OrderOptions):
        for name, sql in order.options.items():
            found = _NAME.search(name)
            if found is None and name in _ALPHABETICAL and name in sql.split(",")[0]:
                yield _Order(f"{place}.options.{name}", sql, False, name, name)
            elif found is not None:
                yield _Order(f"{place}.options.{name}", sql, found["down"] is not None, name, name)
        said = _FIRST.search(tool.description.lower())
        if said is not None and said["alphabet"] is None:
            yield _Order(f"{place}.default", order.options[order.default], said["down"] is not None, said[0], None)
    elif isinstance(order, str):
        found = _FIRST.search(tool.description.lower())
        if found is None and _RANK.search(order) and "in order" in tool.description.lower():
            yield _Order(place, order, False, "in order", None)
        elif found is not None:
            yield _Order(place, order, found["down"] is not None, found[0], None)


def _first_term(order: str) -> exp.Ordered | None:
    try:
        tree = sqlglot.parse_one(f"SELECT 1 ORDER BY {order}", dialect="sqlite")
    except sqlglot.errors.SqlglotError:
        return None
    terms = tree.args["order"].expressions
    return terms[0] if terms and isinstance(terms[0], exp.Ordered) else None


def _descends(term: exp.Ordered) -> bool:
    negated = isinstance(term.this, exp.Neg)
    return bool(term.args.get("desc")) != negated


def _calls(context: Context, tool: ResolvedTool, order: _Order, term: exp.Ordered) -> Probe | None:
    """A call whose items show the order; None where no call shows two different values."""
    if not isinstance(term.this, exp.Column):
        return None
    column = term.this.name
    fixed: dict[str, object] = {"sort": order.sort} if order.sort else {}
    if tool.page is not None:
        fixed["limit"] = tool.page.max
    optional = frozenset(tool.params) - set(tool.required) | {"offset"}
    trial = context.trials.through(
        tool, fixed=fixed, without=optional, accept=lambda done: len(_distinct(done.result.value, column)) > 1
    )
    if trial is None:
        return None
    wrong = "<" if order.down else ">"
    out_of_order = f'FROM result a JOIN result b ON b.rowid = a.rowid + 1 WHERE a."{column}" {wrong} b."{column}"'
    expected = Expectation(result=f"SELECT NOT EXISTS (SELECT 1 {out_of_order})")
    return Probe(calls=(trial.step.probe_call(),), expect=(expected,))


def _distinct(result: object, column: str) -> set[object]:
    items = result.get("items", []) if isinstance(result, dict) else []
    return {item.get(column) for item in items if isinstance(item.get(column), int | float | str)}
