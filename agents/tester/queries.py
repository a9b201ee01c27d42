"""Every SQL query of a tool, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sqlglot import exp

from ...environments.models import Do, Let, Param, Require
from ...environments.resolution import ResolvedTool
from .trees import parse

QueryKind = Literal["scope", "let", "row", "require", "do", "one", "many", "value"]
READS: tuple[QueryKind, ...] = ("scope", "let", "row", "require", "one", "many", "value")
RESULTS: tuple[QueryKind, ...] = ("one", "many", "value")


@dataclass(frozen=True)
class Query:
    """One statement. `where` is its place (`tools.book.steps.2`, `tools.book.returns`); `binds` the name that a
    `let` or `as` gives its result (for rows: the prefix); `roles` those a `require` or scope is limited to."""

    tool: str
    where: str
    kind: QueryKind
    sql: str
    binds: str | None = None
    roles: tuple[str, ...] | None = None
    step: Let | Require | Do | None = field(default=None, compare=False)

    @cached_property
    def tree(self) -> exp.Expr | None:
        """The statement's tree, None if it cannot be read. Shared by all who ask: never changed."""
        return parse(self.sql)

    @property
    def names(self) -> frozenset[str]:
        """The names it binds from outside."""
        return bound_names(self.tree) if self.tree is not None else frozenset()


def bound_names(tree: exp.Expr) -> frozenset[str]:
    """Names written `:name` in a tree."""
    return frozenset(node.name for node in tree.find_all(exp.Placeholder))


def tool_queries(tool: ResolvedTool) -> tuple[Query, ...]:
    """The tool's queries in the order in which they run, shared pieces put in."""
    return (*_scopes(tool), *_steps(tool), *_returns(tool))


def _scopes(tool: ResolvedTool) -> Iterator[Query]:
    for name, param in tool.params.items():
        many = param.type == "array" and param.items is not None
        source = param.items if many and param.items is not None else param
        scope = _scope_sql(name, source, many)
        if scope is not None and source.scope is not None:
            yield Query(tool.name, f"tools.{tool.name}.params.{name}.scope", "scope", scope, roles=source.scope.roles)


def _scope_sql(name: str, param: Param, many: bool) -> str | None:
    if param.scope is None or param.ref is None:
        return None
    table, column = param.ref.split(".")
    chosen = f"IN (SELECT value FROM json_each(:{name}))" if many else f"= :{name}"
    return f"SELECT 1 FROM {table} WHERE {table}.{column} {chosen} AND ({param.scope.where})"


def _steps(tool: ResolvedTool) -> Iterator[Query]:
    for index, step in enumerate(tool.steps):
        place = f"tools.{tool.name}.steps.{index}"
        if isinstance(step, Let):
            for name, value in step.let.items():
                if isinstance(value, str):
                    yield Query(tool.name, f"{place}.let.{name}", "let", value, binds=name, step=step)
                else:
                    yield Query(tool.name, f"{place}.let.{name}", "row", value.row, binds=name, step=step)
        elif isinstance(step, Require):
            yield Query(tool.name, place, "require", step.require, roles=step.roles, step=step)
        else:
            yield Query(tool.name, place, "do", step.do, binds=step.as_, step=step)


def _returns(tool: ResolvedTool) -> Iterator[Query]:
    place = f"tools.{tool.name}.returns"
    if tool.returns is None:
        return
    if tool.returns.one is not None:
        yield Query(tool.name, place, "one", tool.returns.one)
    elif tool.returns.many is not None:
        yield Query(tool.name, place, "many", tool.returns.many)
    elif tool.returns.value is not None:
        yield Query(tool.name, place, "value", tool.returns.value)
