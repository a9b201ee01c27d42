"""A result that shows another actor's rows: the condition on the caller is gone."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import edited, slots


class ResultLeaks:
    kind = "result_leaks"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                if slot.kind in ("one", "many", "value"):
                    for sql, note in edited(slot, (exp.EQ,), _always):
                        yield Change(slot.where, note, slot.put(sql))


def _always(node: exp.Expr) -> exp.Expr | None:
    """True, in place of a comparison with the caller that stands among ANDs."""
    asks = any(each.name == "actor_id" for each in node.find_all(exp.Placeholder))
    inner = node.find(exp.Select) is None
    if not asks or not inner or not isinstance(node.parent, exp.And | exp.Where):
        return None
    return exp.Literal.number(1)
