"""A write that was forgotten: one of several effects of a tool does not happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Do
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ...tester.queries import Query
from ..base import Change
from ..slots import without_step


class EffectMissing:
    kind = "effect_missing"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for effect in side_effects(anatomy):
            yield Change(effect.where, f"dropped: {effect.sql}", without_step(effect.tool, effect.number))


class Effect(NamedTuple):
    """A `do` that a tool could lose and still run: others remain, and nothing needs what it binds."""

    tool: ResolvedTool
    number: int
    where: str
    sql: str
    query: Query


def side_effects(anatomy: Anatomy) -> Iterator[Effect]:
    """Every droppable write of every tool."""
    for tool in anatomy.tools.values():
        queries = {query.where: query for query in anatomy.queries[tool.name]}
        writes = [index for index, step in enumerate(tool.steps) if isinstance(step, Do)]
        for index in writes if len(writes) > 1 else ():
            step = tool.steps[index]
            where = f"tools.{tool.name}.steps.{index}"
            if isinstance(step, Do) and not _needed(step, tool, anatomy):
                yield Effect(tool, index, where, step.do, queries[where])


def _needed(step: Do, tool: ResolvedTool, anatomy: Anatomy) -> bool:
    return step.as_ is not None and any(step.as_ in query.names for query in anatomy.queries[tool.name])


def written_table(query: Query) -> str | None:
    """The table that a statement writes."""
    tree = query.tree
    if not isinstance(tree, exp.Update | exp.Delete | exp.Insert):
        return None
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    return str(target.name).lower()
