"""Something starts out as it should not: another default of a parameter, another first status of a new row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from ....environments.models import Param
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values
from ...tester.trees import assignments, parse, render
from ..base import Change
from ..slots import Slot, slots, with_param


class WrongDefault:
    kind = "wrong_default"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            yield from _params(tool)
            for slot in slots(tool):
                if slot.kind == "do":
                    yield from _first_values(slot, anatomy)


def _params(tool: ResolvedTool) -> Iterator[Change]:
    for name, param in tool.params.items():
        other = _other(param)
        if other is not None:
            changed = param.model_copy(update={"default": other})
            where = f"tools.{tool.name}.params.{name}"
            yield Change(where, f"default {param.default!r} became {other!r}", with_param(tool, name, changed))


def _other(param: Param) -> Any:
    default = param.default
    if isinstance(default, bool):
        return not default
    if param.enum is not None and default in param.enum and len(param.enum) > 1:
        return param.enum[(param.enum.index(default) + 1) % len(param.enum)]
    if isinstance(default, int):
        return default + 1 if param.maximum is None or default < param.maximum else default - 1
    return None


def _first_values(slot: Slot, anatomy: Anatomy) -> Iterator[Change]:
    """Listed values of columns that an INSERT gives."""
    parsed = parse(slot.sql)
    if not isinstance(parsed, exp.Insert):
        return
    for index, found in enumerate(assignments(parsed)):
        values = checked_values(anatomy.tables[found.table], found.column) if found.table in anatomy.tables else ()
        given = found.value.this if isinstance(found.value, exp.Literal) and found.value.is_string else None
        if given in values and len(values) > 1:
            copied = parsed.copy()
            other = values[(values.index(given) + 1) % len(values)]
            list(assignments(copied))[index].value.replace(exp.Literal.string(other))
            note = f"a new row's {found.column} became {other!r} instead of {given!r}"
            yield Change(slot.where, note, slot.put(render(copied)))
