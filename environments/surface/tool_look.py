"""One tool as its player sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, cast

from ..failures import CallFailed
from ..models import Param, Surface
from ..plans import Plan
from ..schema import TableInfo
from .arguments import ArgumentsForm
from .base import Paging
from .certainty import told_origins
from .ids import Ids, Prefix
from .names import field_spellings, respelled
from .origins import origins, target
from .pages import paging
from .results import Kind, ResultForm
from .rows import Cell, RowForm, groups

Tables = Mapping[str, TableInfo]
_REFERENCE: Final = re.compile(r"(?P<param>\w+): (?:there is no )?\w+ (?P<id>\d+) in \w+")
"""How the runtime says that a parameter refers to no row, or to one that is not for the actor."""


class ToolLook:
    """`names` are the spellings of all tools; `key` is this one's own, for what it gives out and takes back."""

    def __init__(
        self, plan: Plan, names: Mapping[str, str], surface: Surface, tables: Tables, ids: Ids, key: str
    ) -> None:
        self.name = names[plan.tool.name]
        self.plan = plan
        params = plan.arguments.params
        paged = _paging(plan, params, surface, key)
        self.arguments = ArgumentsForm(params, plan.tool.required, surface, paged, ids)
        self.result = _result_form(plan, surface, tables, ids, paged)
        self._names = {**names, **self.arguments.names}
        self._told: dict[str, Prefix] = {}
        if ids:
            told = told_origins(plan, tables)
            self._told = {name: ids[origin] for name, origin in told.items() if origin in ids}
        refs = {check.param: ids.get((check.table, check.column)) for check in plan.references}
        self._refs = {name: prefix for name, prefix in refs.items() if prefix is not None}

    @cached_property
    def definition(self) -> dict[str, Any]:
        """The tool's MCP definition."""
        return {
            "name": self.name,
            "description": respelled(self.plan.tool.description, self._names),
            "inputSchema": _described(self.arguments.shown.schema, self._names),
        }

    def message(self, text: str, failed: CallFailed | None) -> str:
        """An error's message with tools, parameters and ids as players have them; `failed` is what it came from."""
        if failed is not None and failed.message == text and failed.filled is not None and self._told:
            message, values = failed.filled
            written = {name: prefix.written(values[name]) for name, prefix in self._told.items() if name in values}
            text = message.fill({**values, **written})
        found = _REFERENCE.match(text)
        prefix = self._refs.get(found["param"]) if found else None
        if found and prefix:
            text = f"{text[: found.start('id')]}{prefix.written(int(found['id']))}{text[found.end('id') :]}"
        return respelled(text, self._names)


def _described(schema: Any, names: Mapping[str, str]) -> Any:
    """A schema whose descriptions spell names as players do."""
    if isinstance(schema, list):
        return [_described(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: respelled(value, names) if key == "description" and isinstance(value, str) else _described(value, names)
        for key, value in schema.items()
    }


def _paging(plan: Plan, params: Mapping[str, Param], surface: Surface, key: str) -> Paging | None:
    if plan.result is None or plan.result.count is None:
        return None
    limit, offset = params["limit"], params["offset"]
    own = field_spellings([name for name in params if name not in ("limit", "offset")], surface).values()
    found = paging(surface.pages, limit, offset, lambda name: field_spellings([name], surface)[name], key)
    return paging("offset", limit, offset, str, key) if set(found.params) & set(own) else found


def _result_form(plan: Plan, surface: Surface, tables: Tables, ids: Ids, paged: Paging | None) -> ResultForm:
    kind = cast("Kind", plan.result.kind if plan.result else "nothing")
    return ResultForm(kind, RowForm(_cells(plan, surface, tables, ids)), paged, wrapped=surface.results == "wrapped")


def _cells(plan: Plan, surface: Surface, tables: Tables, ids: Ids) -> list[Cell]:
    if plan.result is None:
        return []
    columns, sources = plan.result.columns, origins(plan.result, tables)
    grouped: dict[str, str] = {}
    if surface.results == "nested":
        grouped = groups(columns, [target(s, tables) for s in sources], [s[0] if s else None for s in sources])
    top = field_spellings([*(c for c in columns if c not in grouped), *dict.fromkeys(grouped.values())], surface)
    inside = {
        stem: field_spellings([c.removeprefix(f"{stem}_") for c, other in grouped.items() if other == stem], surface)
        for stem in grouped.values()
    }
    cells = []
    for column, source in zip(columns, sources, strict=True):
        prefix = ids.get(source) if source else None
        stem = grouped.get(column)
        if stem is None:
            cells.append(Cell(column, top[column], None, prefix))
        else:
            cells.append(Cell(column, inside[stem][column.removeprefix(f"{stem}_")], top[stem], prefix))
    return cells
