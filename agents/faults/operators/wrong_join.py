"""Rows put together by the wrong key."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.trees import place_of
from ..base import Change
from ..slots import edited, slots


class WrongJoin:
    kind = "wrong_join"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                for sql, note in edited(slot, (exp.Join,), lambda join: _rejoined(join, anatomy)):
                    yield Change(slot.where, note, slot.put(sql))


def _rejoined(join: exp.Expr, anatomy: Anatomy) -> exp.Expr | None:
    """The join with one side of its condition led to another column of whole numbers in the same table."""
    on = join.args.get("on")
    for column in on.find_all(exp.Column) if on is not None else ():
        place = place_of(column, anatomy.tables)
        if place is None:
            continue
        info = anatomy.tables[place.table]
        others = [
            each.name
            for each in info.columns
            if each.name != place.column and each.type == "INTEGER" and (each.references or each.key)
        ]
        if others:
            column.replace(exp.column(others[0], table=column.table or None))
            return join
    return None
