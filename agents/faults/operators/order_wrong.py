"""Rows in the wrong order, or the first of an order that is not there."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from ....environments.models import OrderOptions
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ...tester.trees import render
from ..base import Change
from ..slots import edited, slots, with_order


class OrderWrong:
    kind = "order_wrong"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            yield from _orders(tool)
            for slot in slots(tool):
                for sql, note in edited(slot, (exp.Select,), _unordered):
                    yield Change(slot.where, note, slot.put(sql))


def _orders(tool: ResolvedTool) -> Iterator[Change]:
    order = tool.returns.order if tool.returns is not None else None
    place = f"tools.{tool.name}.returns.order"
    if isinstance(order, str):
        turned = _turned(order)
        if turned is not None:
            yield Change(place, f"{order} became {turned}", with_order(tool, turned))
    elif isinstance(order, OrderOptions):
        for name, sql in order.options.items():
            turned = _turned(sql)
            if turned is not None:
                options = OrderOptions(options={**order.options, name: turned}, default=order.default)
                yield Change(f"{place}.options.{name}", f"{sql} became {turned}", with_order(tool, options))


def _turned(order: str) -> str | None:
    """The order with its first term the other way round."""
    try:
        tree = sqlglot.parse_one(f"SELECT 1 ORDER BY {order}", dialect="sqlite")
    except sqlglot.errors.SqlglotError:
        return None
    term = tree.args["order"].expressions[0]
    if not isinstance(term, exp.Ordered):
        return None
    term.set("desc", not term.args.get("desc"))
    term.set("nulls_first", None)
    return ", ".join(
        render(each).replace(" NULLS LAST", "").replace(" NULLS FIRST", "") for each in tree.args["order"].expressions
    )


def _unordered(node: exp.Expr) -> exp.Expr | None:
    """A query for the first rows of an order, without the order."""
    if node.args.get("limit") is None or node.args.get("order") is None:
        return None
    node.set("order", None)
    return node
