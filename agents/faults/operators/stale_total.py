"""A total, counter or balance that is not kept up when what it counts changes."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.trees import assignments, unwrapped
from ..base import Change
from ..slots import edited, slots, without_step
from .effect_missing import side_effects


class StaleTotal:
    kind = "stale_total"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for effect in side_effects(anatomy):
            kept = list(assignments(effect.query.tree)) if isinstance(effect.query.tree, exp.Update) else []
            if kept and all(_keeps_up(each.column, each.value) for each in kept):
                yield Change(effect.where, f"dropped: {effect.sql}", without_step(effect.tool, effect.number))
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                if slot.kind == "do":
                    for sql, note in edited(slot, (exp.Update,), _without_total):
                        yield Change(slot.where, note, slot.put(sql))


def _keeps_up(column: str, value: exp.Expr) -> bool:
    """Whether a value follows from the column's old one, or is counted over rows."""
    plain = unwrapped(value)
    if isinstance(plain, exp.Subquery):
        return plain.find(exp.Sum, exp.Count) is not None
    moved = isinstance(plain, exp.Add | exp.Sub) or plain.find(exp.Sum, exp.Count) is not None
    return moved and any(found.name.lower() == column for found in plain.find_all(exp.Column))


def _without_total(node: exp.Expr) -> exp.Expr | None:
    """An UPDATE of several columns, without the one that keeps a total."""
    parts = node.expressions
    total = next((part for part in parts if _keeps_up(part.this.name.lower(), part.expression)), None)
    if total is None or len(parts) < 2:
        return None
    node.set("expressions", [part for part in parts if part is not total])
    return node
