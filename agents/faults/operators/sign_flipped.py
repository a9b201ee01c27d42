"""A sum that should be a difference, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import edited, slots


class SignFlipped:
    kind = "sign_flipped"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                for sql, note in edited(slot, (exp.Add, exp.Sub), _flipped):
                    yield Change(slot.where, note, slot.put(sql))


def _flipped(node: exp.Expr) -> exp.Expr:
    other = exp.Sub if isinstance(node, exp.Add) else exp.Add
    return other(this=node.this.copy(), expression=node.expression.copy())
