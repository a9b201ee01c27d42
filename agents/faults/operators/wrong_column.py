"""A column taken for another of the same table and type: in what is shown, stored, or filtered by."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.trees import place_of
from ..base import Change
from ..slots import edited, slots


class WrongColumn:
    kind = "wrong_column"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                for sql, note in edited(slot, (exp.Column,), lambda node: _sibling(node, anatomy)):
                    yield Change(slot.where, note, slot.put(sql))


def _sibling(node: exp.Expr, anatomy: Anatomy) -> exp.Expr | None:
    """The next column of the same type that is no key; a shown column keeps its name."""
    place = place_of(node, anatomy.tables)
    if place is None or not isinstance(node, exp.Column):
        return None
    info = anatomy.tables[place.table]
    alike = [
        column.name for column in info.columns if column.type == info.by_name[place.column].type and not column.key
    ]
    if place.column not in alike or len(alike) < 2:
        return None
    other = alike[(alike.index(place.column) + 1) % len(alike)]
    changed = exp.column(other, table=node.table or None)
    shown = isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
    return exp.alias_(changed, node.name) if shown else changed
