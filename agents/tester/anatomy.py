"""An environment taken apart for checking: its queries as trees, what its names stand for, whose its rows are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import apsw

from ...environments.clock import WorldClock
from ...environments.connections import StepBudget, connect
from ...environments.functions import add_functions
from ...environments.limits import Limits
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ...environments.schema import TableInfo
from .domains import Domains
from .names import Names
from .ownership import Owner, owners
from .queries import Query, tool_queries
from .trees import Tables


class Anatomy:
    """Computed when asked for, and kept: gates and rules look at the same parts. Use from one thread."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.spec = environment.spec
        self.tables: Tables = environment.tables()
        self.tools: Mapping[str, ResolvedTool] = environment.tools

    @cached_property
    def queries(self) -> Mapping[str, tuple[Query, ...]]:
        """By tool, in the order in which they run."""
        return {name: tool_queries(tool) for name, tool in self.tools.items()}

    def all_queries(self) -> Iterator[Query]:
        for queries in self.queries.values():
            yield from queries

    @cached_property
    def names(self) -> Mapping[str, Names]:
        """By tool."""
        return {name: Names(tool, self.queries[name], self.tables) for name, tool in self.tools.items()}

    @cached_property
    def domains(self) -> Domains:
        actors = {role.table for role in self.spec.roles.values()}
        return Domains(self.tables, actors.pop() if len(actors) == 1 else None)

    @cached_property
    def owners(self) -> tuple[Owner, ...]:
        return owners(self.spec, self.tools, self.all_queries(), self.tables)

    @property
    def stored_tables(self) -> Iterator[TableInfo]:
        """Tables proper, without views."""
        return (table for table in self.tables.values() if not table.view)

    @cached_property
    def _budget(self) -> StepBudget:
        return StepBudget(Limits())

    @cached_property
    def _seed(self) -> apsw.Connection:
        connection = connect(self.environment.image, budget=self._budget)
        add_functions(connection)
        return connection

    def seed_rows(self, sql: str, **bound: Any) -> list[tuple[Any, ...]]:
        """Rows of a query over the seed data; `:now` and `:today` are the world's. Raises apsw.Error."""
        clock = WorldClock(self.spec.clock)
        clock.enter()
        self._budget.start()
        return self._seed.execute(sql, {"now": clock.now, "today": clock.today, **bound}).fetchall()
