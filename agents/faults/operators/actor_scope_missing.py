"""A tool that no longer asks whose row it is given."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Param, Require
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import with_param, without_step


class ActorScopeMissing:
    kind = "actor_scope_missing"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            yield from _scopes(tool)
            for index, step in enumerate(tool.steps):
                if isinstance(step, Require) and ":actor_id" in step.require and step.error.code in _OWNERSHIP:
                    where = f"tools.{tool.name}.steps.{index}"
                    yield Change(where, f"dropped: {step.require}", without_step(tool, index))


_OWNERSHIP = ("forbidden", "not_found")


def _scopes(tool: ResolvedTool) -> Iterator[Change]:
    for name, param in tool.params.items():
        freed = _freed(param)
        if freed is not None:
            yield Change(f"tools.{tool.name}.params.{name}", "dropped the scope", with_param(tool, name, freed))


def _freed(param: Param) -> Param | None:
    """The parameter without its scope; None if it has none that asks who calls."""
    if param.scope is not None:
        return param.model_copy(update={"scope": None}) if ":actor_id" in param.scope.where else None
    inner = _freed(param.items) if param.items is not None else None
    return param.model_copy(update={"items": inner}) if inner is not None else None
