"""A guard that was forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Require
from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import without_step


class GuardDropped:
    kind = "guard_dropped"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for index, step in enumerate(tool.steps):
                if isinstance(step, Require):
                    where = f"tools.{tool.name}.steps.{index}"
                    yield Change(where, f"dropped: {step.require}", without_step(tool, index))
