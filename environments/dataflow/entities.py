"""Which rows a gold run had to do with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..gold import GoldRun
from ..models import Param
from ..states import comparison_of

if TYPE_CHECKING:
    from ..package import Environment

Entity = tuple[str, str]
"""A table, and the row's value as text in the column that arguments refer to it by."""


def touched_entities(environment: Environment, run: GoldRun) -> set[Entity]:
    """Rows that arguments with `ref` pointed at, and rows that changed as states compare."""
    found: set[Entity] = set()
    for call in run.steps:
        params = environment.params(call.call)
        for name, value in call.args.items():
            if name in params:
                found.update(_referred(params[name], value))
    for change in comparison_of(environment).counted(run.changes.rows):
        found.add((change.table, ",".join(map(str, change.key.values()))))
    return found


def _referred(param: Param, value: Any) -> Iterator[Entity]:
    if param.ref is not None and not isinstance(value, list | dict) and value is not None:
        yield param.ref.partition(".")[0], str(value)
    if param.items is not None and isinstance(value, list):
        for item in value:
            yield from _referred(param.items, item)
    if param.properties is not None and isinstance(value, dict):
        for name, inner in param.properties.items():
            if name in value:
                yield from _referred(inner, value[name])
