"""The SQL texts of a tool, each with a way to put another text in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlglot import exp

from ...environments.models import Do, Let, OrderOptions, Param, Require
from ...environments.models.tools import RowQuery
from ...environments.resolution import ResolvedTool
from ..tester.queries import QueryKind
from ..tester.trees import parse, render


class Slot(NamedTuple):
    """A statement of a tool; `put` gives the tool with another statement in its place."""

    where: str
    kind: QueryKind
    sql: str
    put: Callable[[str], ResolvedTool]


Step = Let | Require | Do


def slots(tool: ResolvedTool) -> Iterator[Slot]:
    """Every statement of the tool's steps and result."""
    for index, step in enumerate(tool.steps):
        place = f"tools.{tool.name}.steps.{index}"
        if isinstance(step, Require):
            yield Slot(place, "require", step.require, _putting(tool, index, step, "require"))
        elif isinstance(step, Do):
            yield Slot(place, "do", step.do, _putting(tool, index, step, "do"))
        else:
            yield from _lets(tool, index, step, place)
    yield from _results(tool)


def without_step(tool: ResolvedTool, index: int) -> ResolvedTool:
    return tool.model_copy(update={"steps": (*tool.steps[:index], *tool.steps[index + 1 :])})


def with_step(tool: ResolvedTool, index: int, step: Step) -> ResolvedTool:
    return tool.model_copy(update={"steps": (*tool.steps[:index], step, *tool.steps[index + 1 :])})


def with_param(tool: ResolvedTool, name: str, param: Param) -> ResolvedTool:
    return tool.model_copy(update={"params": {**tool.params, name: param}})


def with_order(tool: ResolvedTool, order: str | OrderOptions) -> ResolvedTool:
    assert tool.returns is not None
    return tool.model_copy(update={"returns": tool.returns.model_copy(update={"order": order})})


def edited(
    slot: Slot, kinds: tuple[type[exp.Expr], ...], edit: Callable[[exp.Expr], exp.Expr | None]
) -> Iterator[tuple[str, str]]:
    """For each node of `kinds` that `edit` changes: the statement with that node changed, and what became of it.
    `edit` gets a node of a fresh copy and returns what takes its place, None to leave it."""
    tree = parse(slot.sql)
    count = len(list(tree.find_all(*kinds))) if tree is not None else 0
    for index in range(count):
        copied = parse(slot.sql)
        assert copied is not None
        copied = copied.copy()
        node = list(copied.find_all(*kinds))[index]
        before = render(node)
        changed = edit(node)
        if changed is None:
            continue
        if node is copied:
            copied = changed
        elif changed is not node:
            node.replace(changed)
        yield render(copied), f"{before} became {render(changed)}"


def _putting(tool: ResolvedTool, index: int, step: Step, field: str) -> Callable[[str], ResolvedTool]:
    return lambda sql: with_step(tool, index, step.model_copy(update={field: sql}))


def _lets(tool: ResolvedTool, index: int, step: Let, place: str) -> Iterator[Slot]:
    for name, value in step.let.items():
        sql = value.row if isinstance(value, RowQuery) else value
        kind: QueryKind = "row" if isinstance(value, RowQuery) else "let"
        yield Slot(f"{place}.let.{name}", kind, sql, _putting_let(tool, index, step, name))


def _putting_let(tool: ResolvedTool, index: int, step: Let, name: str) -> Callable[[str], ResolvedTool]:
    def put(sql: str) -> ResolvedTool:
        value: str | RowQuery = RowQuery(row=sql) if isinstance(step.let[name], RowQuery) else sql
        return with_step(tool, index, Let(let={**step.let, name: value}))

    return put


def _results(tool: ResolvedTool) -> Iterator[Slot]:
    returns = tool.returns
    if returns is None:
        return
    kinds: tuple[QueryKind, ...] = ("one", "many", "value")
    for kind in kinds:
        sql = getattr(returns, kind)
        if sql is not None:
            yield Slot(f"tools.{tool.name}.returns", kind, sql, _putting_result(tool, kind))


def _putting_result(tool: ResolvedTool, kind: str) -> Callable[[str], ResolvedTool]:
    assert tool.returns is not None
    returns = tool.returns
    return lambda sql: tool.model_copy(update={"returns": returns.model_copy(update={kind: sql})})
