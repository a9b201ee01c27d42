"""Counting what fuzzing reached."""

from __future__ import annotations

from collections.abc import Mapping

from ....environments.resolution import ResolvedTool
from ..failures import Guards
from ..report import Coverage, ToolCoverage
from ..stage import Outcome


class Tally:
    """Calls, successes, changes and refusing guards, by tool."""

    def __init__(self, tools: Mapping[str, ResolvedTool]) -> None:
        self.sequences = 0
        self.calls = 0
        self._guards = Guards(tools)
        self._counts = {name: [0, 0, 0] for name in tools}
        self._fired: dict[str, set[str]] = {name: set() for name in tools}

    def count(self, tool: str, outcome: Outcome) -> None:
        """Count one call."""
        counts = self._counts[tool]
        self.calls += 1
        counts[0] += 1
        counts[1] += outcome.result.ok
        counts[2] += bool(outcome.changes)
        place = self._guards.fired(tool, outcome.result)
        if place is not None:
            self._fired[tool].add(place)

    def called(self, tool: str) -> int:
        return self._counts[tool][0]

    def succeeded(self, tool: str) -> int:
        return self._counts[tool][1]

    def coverage(self) -> Coverage:
        tools = tuple(
            ToolCoverage(
                tool=name,
                calls=calls,
                succeeded=succeeded,
                changed=changed,
                requires=self._guards.places(name),
                fired=tuple(place for place in self._guards.places(name) if place in self._fired[name]),
            )
            for name, (calls, succeeded, changed) in self._counts.items()
        )
        return Coverage(sequences=self.sequences, calls=self.calls, tools=tools)
