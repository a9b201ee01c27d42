"""Aiming at guards that have refused nothing yet: from arguments at hand, one of them is changed to every value worth
trying, until the guard in question would be the one that refuses. Whether it would is asked without making the call.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from ....environments.models import Actor, Param
from ....environments.resolution import ResolvedTool
from ..stage import Stage
from .material import Material
from .moments import around
from .scene import Scene

_MOST = 200
"""Arguments tried for one guard at a time."""


class Aim:
    """Looks for arguments in one scene."""

    def __init__(self, material: Material, scene: Scene, stage: Stage, rng: random.Random) -> None:
        self._material = material
        self._scene = scene
        self._stage = stage
        self._rng = rng

    def at(
        self, tool: ResolvedTool, guard: int, base: dict[str, Any], actors: Sequence[Actor]
    ) -> tuple[Actor, dict[str, Any]] | None:
        """A call that the tool's guard of this number (guards counted from 0) would refuse, like `base` but for one
        argument; None if none was found."""
        tried = [(actor, args) for actor in actors for args in self._near(tool, base)]
        self._rng.shuffle(tried)
        for actor, args in tried[:_MOST]:
            if self._stage.refusing(tool.name, args, actor) == guard:
                return actor, args
        return None

    def _near(self, tool: ResolvedTool, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield base
        for name, param in tool.params.items():
            for value in self._values(tool, name, param):
                if base.get(name) != value:
                    yield {**base, name: value}
            if name in base and name not in tool.required:
                yield {kept: value for kept, value in base.items() if kept != name}

    def _values(self, tool: ResolvedTool, name: str, param: Param) -> Iterator[Any]:
        """Every row that a parameter may point at; edges, and values of the data, for others."""
        if param.items is not None:
            yield from ([value] for value in self._values(tool, name, param.items))
        elif param.ref is not None:
            yield from self._scene.keys(*param.ref.split("."))
        elif param.enum is not None:
            yield from param.enum
        elif param.type == "boolean":
            yield from (False, True)
        elif param.type in ("integer", "number"):
            edges = (edge + step for edge in self._material.constants(tool.name).numbers for step in (-1, 0, 1))
            low, high = param.minimum, param.maximum
            yield from (edge for edge in edges if (low is None or edge >= low) and (high is None or edge <= high))
            yield from (edge for edge in (low, high) if edge is not None)
        elif param.type == "string":
            yield from self._texts(tool, name, param)

    def _texts(self, tool: ResolvedTool, name: str, param: Param) -> Iterator[str]:
        if param.format in ("date", "date-time"):
            for span in self._material.constants(tool.name).spans:
                yield from around(self._stage.now, span, param.format)
        else:
            for place in self._material.related(tool.name, name)[:2]:
                yield from (value for value in self._material.column_values(place) if isinstance(value, str))
