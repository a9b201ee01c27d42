"""An amount stored as if it had been given in another unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.columns import is_money
from ...tester.trees import assignments, parse, render
from ..base import Change
from ..slots import Slot, slots

_TIME = re.compile(r"_(minutes|hours|seconds|days)$")


class UnitMismatch:
    kind = "unit_mismatch"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                if slot.kind == "do":
                    yield from _scaled(slot)


def _scaled(slot: Slot) -> Iterator[Change]:
    parsed = parse(slot.sql)
    if parsed is None:
        return
    for index, found in enumerate(assignments(parsed)):
        factor = 100 if is_money(found.column) else 60 if _TIME.search(found.column) else None
        if factor is not None and isinstance(found.value, exp.Placeholder):
            copied = parsed.copy()
            value = list(assignments(copied))[index].value
            value.replace(exp.Mul(this=value.copy(), expression=exp.Literal.number(factor)))
            yield Change(slot.where, f"{found.column} is stored {factor} times too large", slot.put(render(copied)))
