"""A status that the tool should not lead to."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values, is_status
from ...tester.trees import assignments, parse, render
from ..base import Change
from ..slots import Slot, slots


class StatusIllegal:
    kind = "status_illegal"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                if slot.kind == "do":
                    yield from _other_status(slot, anatomy)


def _other_status(slot: Slot, anatomy: Anatomy) -> Iterator[Change]:
    parsed = parse(slot.sql)
    if not isinstance(parsed, exp.Update):
        return
    for index, found in enumerate(assignments(parsed)):
        if not is_status(found.column) or not isinstance(found.value, exp.Literal):
            continue
        for other in checked_values(anatomy.tables[found.table], found.column):
            if other != found.value.this:
                copied = parsed.copy()
                list(assignments(copied))[index].value.replace(exp.Literal.string(other))
                note = f"sets {found.column} to {other!r} instead of {found.value.this!r}"
                yield Change(slot.where, note, slot.put(render(copied)))
