"""What arguments are made of: pools of valid values, and the values that the data hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ....environments.models import Param
from ..anatomy import Anatomy
from ..related import related_columns
from ..trees import ColumnPlace
from .constants import Constants, constants_of
from .parameters import params_of
from .pools import Pools

_KEPT = 40


class Template(NamedTuple):
    """A table, and which of its columns says what a parameter could be."""

    table: str
    columns: Mapping[str, str]


class Material:
    """The same for all sequences over an environment; nothing in it changes. `params` are by tool, those that the
    runtime adds included."""

    def __init__(self, anatomy: Anatomy, seed: int) -> None:
        self.anatomy = anatomy
        self._seed = seed
        self._column_values: dict[ColumnPlace, tuple[Any, ...]] = {}
        self._templates: dict[str, Sequence[Template]] = {}
        self._constants: dict[str, Constants] = {}

    @cached_property
    def pools(self) -> Pools:
        params = (param for tool in self.anatomy.tools.values() for param in params_of(tool).values())
        return Pools(_with_parts(params), self._seed)

    @cached_property
    def _related(self) -> Mapping[str, Mapping[str, tuple[ColumnPlace, ...]]]:
        parts = self.anatomy
        return {name: related_columns(parts.names[name], parts.queries[name], parts.tables) for name in parts.tools}

    def templates(self, tool: str) -> Sequence[Template]:
        """Tables a row of which could stand behind several of the tool's parameters at once."""
        if tool not in self._templates:
            self._templates[tool] = self._find_templates(tool)
        return self._templates[tool]

    def _find_templates(self, tool: str) -> Sequence[Template]:
        columns: dict[str, dict[str, str]] = {}
        for param in self.anatomy.tools[tool].params:
            for place in self.related(tool, param):
                columns.setdefault(place.table, {}).setdefault(param, place.column)
        keyed = {table for table in columns if len(self.anatomy.tables[table].primary_key) == 1}
        return tuple(Template(table, columns[table]) for table in columns if table in keyed)

    def constants(self, tool: str) -> Constants:
        """Numbers and spans of time that the tool's SQL compares with."""
        if tool not in self._constants:
            self._constants[tool] = constants_of(self.anatomy.queries[tool])
        return self._constants[tool]

    def related(self, tool: str, param: str) -> tuple[ColumnPlace, ...]:
        """The columns that a parameter is about."""
        return self._related[tool].get(param, ())

    def column_values(self, place: ColumnPlace) -> tuple[Any, ...]:
        """Up to 40 different values of a column in the seed data, NULL left out, spread over the rows."""
        if place not in self._column_values:
            table, column = place
            sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1'
            rows = self.anatomy.seed_rows(sql)
            step = max(1, len(rows) // _KEPT)
            self._column_values[place] = tuple(row[0] for row in rows[::step][:_KEPT])
        return self._column_values[place]


def _with_parts(params: Iterator[Param]) -> Iterator[Param]:
    for param in params:
        yield param
        if param.items is not None:
            yield from _with_parts(iter((param.items,)))
        yield from _with_parts(iter((param.properties or {}).values()))
