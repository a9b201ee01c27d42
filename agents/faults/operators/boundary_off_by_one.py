"""A comparison that takes in its boundary, or leaves it out, against what was meant."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import edited, slots

_OTHER: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.LTE,
    exp.LTE: exp.LT,
    exp.GT: exp.GTE,
    exp.GTE: exp.GT,
}


class BoundaryOffByOne:
    kind = "boundary_off_by_one"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                for sql, note in edited(slot, tuple(_OTHER), _moved):
                    yield Change(slot.where, note, slot.put(sql))


def _moved(node: exp.Expr) -> exp.Expr:
    return _OTHER[type(node)](this=node.this.copy(), expression=node.expression.copy())
