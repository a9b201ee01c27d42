"""A refusal turned into an ok that does nothing: the guard's condition moved into the WHERE of the write."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Do, Require
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ...tester.trees import parse, render
from ..base import Change
from ..slots import with_step, without_step


class ErrorSwallowed:
    kind = "error_swallowed"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            writes = [index for index, step in enumerate(tool.steps) if isinstance(step, Do)]
            if len(writes) != 1:
                continue
            for index, step in enumerate(tool.steps):
                if isinstance(step, Require) and step.roles is None and index < writes[0]:
                    yield from _swallowed(tool, index, step, writes[0])


def _swallowed(tool: ResolvedTool, index: int, guard: Require, write: int) -> Iterator[Change]:
    step = tool.steps[write]
    tree = parse(step.do) if isinstance(step, Do) else None
    if not isinstance(step, Do) or not isinstance(tree, exp.Update | exp.Delete) or step.as_ is not None:
        return
    guarded = tree.copy().where(f"({guard.require})", dialect="sqlite")
    quiet = with_step(tool, write, Do(do=render(guarded)))
    yield Change(
        f"tools.{tool.name}.steps.{index}", f"no longer refuses: {guard.require}", without_step(quiet, index)
    )
