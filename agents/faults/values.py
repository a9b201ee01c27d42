"""Values for a parameter, listed from the seed rows and the world's clock: what stands there, and what lies at its
bounds. The tester's fuzzer has no part in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlglot import exp

from ...environments.models import OrderOptions, Param
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ...environments.schema import ColumnInfo
from ..tester.anatomy import Anatomy

T = TypeVar("T")

_MOST = 80
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?")
_FORMATS = {"date": "%Y-%m-%d", "date-time": "%Y-%m-%d %H:%M:%S", "time": "%H:%M"}
_NEAR = (timedelta(seconds=1), timedelta(minutes=30), timedelta(hours=2), timedelta(days=1))
_AHEAD = (0, 1, 2, 3, 7, 13, 14, 15, 29, 30, 31, 59, 60, 61, 89, 90, 91)
"""Days from now: the bounds that rules about days tend to have, and their neighbours."""


class Values:
    """What may be given to the tools of one environment."""

    def __init__(self, environment: Environment) -> None:
        self._anatomy = Anatomy(environment)
        self._now = datetime.fromisoformat(environment.spec.clock)
        self._kept: dict[tuple[str, str], tuple[Any, ...]] = {}
        self._stored: dict[tuple[str, str], list[Any]] = {}

    def paging(self, tool: ResolvedTool) -> dict[str, tuple[Any, ...]]:
        """Values for the parameters that the runtime adds to lists."""
        found: dict[str, tuple[Any, ...]] = {}
        if tool.returns is not None and isinstance(tool.returns.order, OrderOptions):
            found["sort"] = tuple(tool.returns.order.options)
        if tool.returns is not None and tool.returns.page is not None:
            found["limit"] = (1, tool.returns.page.max)
            found["offset"] = (1,)
        return found

    def of(self, tool: ResolvedTool, name: str) -> tuple[Any, ...]:
        """Values for a parameter, without repeats, at most some dozens."""
        key = (tool.name, name)
        if key not in self._kept:
            listed = dict.fromkeys(map(_Held, self._listed(tool, name, tool.params[name])))
            self._kept[key] = tuple(held.value for held in _spread(list(listed), _MOST))
        return self._kept[key]

    def _listed(self, tool: ResolvedTool, name: str, param: Param) -> Iterator[Any]:
        if param.type == "array" and param.items is not None:
            inner = list(self._listed(tool, name, param.items))
            yield from ([], inner[:1], inner[1:3], inner[:4])
            yield from ([each] for each in inner[1:_MOST])
        elif param.enum is not None:
            yield from param.enum
        elif param.type == "boolean":
            yield from (True, False)
        elif param.ref is not None:
            yield from self._column(*param.ref.split("."))
        elif param.type in ("integer", "number"):
            yield from self._numbers(tool, name, param)
        elif param.type == "string" and param.format in _FORMATS:
            yield from self._moments(tool, str(param.format))
        elif param.type == "string":
            yield from self._texts(tool, name, param)
        elif param.properties is not None:
            yield {key: next(iter(self._listed(tool, key, each)), None) for key, each in param.properties.items()}

    def _numbers(self, tool: ResolvedTool, name: str, param: Param) -> Iterator[float]:
        bounds = [bound for bound in (param.minimum, param.maximum) if bound is not None]
        stored = [
            value
            for table, column in self._columns(tool)
            if column.type in ("INTEGER", "REAL") and not column.key and not column.references
            for value in self._column(table, column.name)[:8]
            if isinstance(value, int | float)
        ]
        near = [value + step for value in (*bounds, *stored, *_constants(self._anatomy, tool)) for step in (0, -1, 1)]
        for value in (1, 2, *near):
            if all(
                (param.minimum is None or value >= param.minimum, param.maximum is None or value <= param.maximum)
            ):
                yield int(value) if param.type == "integer" else value

    def _moments(self, tool: ResolvedTool, format_: str) -> Iterator[str]:
        pattern = _FORMATS[format_]
        stored = [
            moment
            for table, column in self._columns(tool)
            if column.type == "TEXT"
            for value in self._column(table, column.name)[:10]
            if (moment := _moment(value)) is not None
        ]
        hour = self._now.replace(minute=0, second=0) + timedelta(hours=1)
        ahead = [hour.replace(hour=10) + timedelta(days=days) for days in _AHEAD]
        near = [moment + step for moment in stored[:12] for each in _NEAR for step in (each, -each)]
        for moment in (*ahead, *self._bounds(tool), hour, *stored[:12], *near, *stored, self._now):
            yield moment.strftime(pattern)

    def _bounds(self, tool: ResolvedTool) -> Iterator[datetime]:
        """Moments at the times of day that a tool's statements name, and so much earlier that what lasts some minutes
        ends then."""
        for time in dict.fromkeys(_times(self._anatomy, tool)):
            hours, minutes = map(int, time.split(":")[:2])
            moment = (self._now + timedelta(days=3)).replace(hour=hours, minute=minutes, second=0)
            yield from (moment - timedelta(minutes=minutes) for minutes in (0, 30, 60, 90, 120))

    def _texts(self, tool: ResolvedTool, name: str, param: Param) -> Iterator[str]:
        named = [table for table, column in self._columns(tool) if column.name == name]
        others = [table.name for table in self._anatomy.stored_tables if name in table.by_name]
        for table in dict.fromkeys((*named, *others)):
            for value in self._column(table, name):
                if isinstance(value, str):
                    yield value
                    yield from value.split()[:1]
        longest = param.max_length or 60
        for text in ("Something else", "x"):
            if (param.min_length or 0) <= len(text) <= longest:
                yield text

    def _columns(self, tool: ResolvedTool) -> Iterator[tuple[str, ColumnInfo]]:
        """The columns of the tables that a tool touches."""
        plan = self._anatomy.environment.plans[tool.name]
        touched = {place[0] for statement in plan.statements for place in statement.reads}
        touched |= {write.table for statement in plan.statements for write in statement.writes}
        for table in self._anatomy.stored_tables:
            if table.name in touched:
                yield from ((table.name, column) for column in table.columns)

    def _column(self, table: str, column: str) -> list[Any]:
        if (table, column) not in self._stored:
            self._stored[table, column] = self._read(table, column)
        return self._stored[table, column]

    def _read(self, table: str, column: str) -> list[Any]:
        sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1'
        return list(_spread([row[0] for row in self._anatomy.seed_rows(sql)], _MOST))


class _Held:
    """A value compared by type and text: true is not 1, and lists can be told apart."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key = (type(value).__name__, repr(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _constants(anatomy: Anatomy, tool: ResolvedTool) -> Iterable[float]:
    """The numbers that stand in a tool's statements."""
    for query in anatomy.queries[tool.name]:
        for literal in query.tree.find_all(exp.Literal) if query.tree is not None else ():
            if literal.is_number:
                yield float(literal.this)


def _times(anatomy: Anatomy, tool: ResolvedTool) -> Iterator[str]:
    """The times of day that stand in a tool's statements."""
    for query in anatomy.queries[tool.name]:
        for literal in query.tree.find_all(exp.Literal) if query.tree is not None else ():
            if literal.is_string and _TIME.fullmatch(literal.this):
                yield literal.this


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str) or len(value) not in (10, 19) or value[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _spread(values: list[T], most: int) -> list[T]:
    """At most so many: the first half as they come, then some of all that follow."""
    first, rest = values[: most // 2], values[most // 2 :]
    left = most - len(first)
    return [*first, *(rest if len(rest) <= left else [rest[index * len(rest) // left] for index in range(left)])]
