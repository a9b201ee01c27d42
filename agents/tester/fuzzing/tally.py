"""Counting what fuzzing reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....environments.resolution import ResolvedTool
from ..columns import is_status
from ..failures import Guards
from ..report import Coverage, ToolCoverage
from ..stage import Outcome
from ..statuses import Status
from .parameters import params_of


class Tally:
    """Calls, successes, changes and refusing guards, by tool; statuses that rows got, and which optional parameters
    succeeding calls gave and left out."""

    def __init__(self, tools: Mapping[str, ResolvedTool]) -> None:
        self.sequences = 0
        self.calls = 0
        self._guards = Guards(tools)
        self._counts = {name: [0, 0, 0] for name in tools}
        self._fired: dict[str, set[str]] = {name: set() for name in tools}
        self._options = {name: sorted(params_of(tool).keys() - set(tool.required)) for name, tool in tools.items()}
        self._ways: set[str] = set()
        self.statuses: set[Status] = set()

    def count(self, tool: str, args: Mapping[str, Any], outcome: Outcome) -> None:
        """Count one call."""
        counts = self._counts[tool]
        self.calls += 1
        counts[0] += 1
        counts[1] += outcome.result.ok
        counts[2] += bool(outcome.changes)
        place = self._guards.fired(tool, outcome.result)
        if place is not None:
            self._fired[tool].add(place)
        if outcome.result.ok:
            self._ways.update(_way(tool, name, name in args) for name in self._options[tool])
            self.statuses.update(_statuses(outcome))

    @property
    def ways(self) -> Mapping[str, bool]:
        """Every way to call the tools, an optional parameter given or left out, and whether a call took it."""
        every = [(tool, name, given) for tool, names in self._options.items() for name in names for given in (1, 0)]
        return {way: way in self._ways for way in (_way(tool, name, bool(given)) for tool, name, given in every)}

    @property
    def waiting(self) -> Sequence[tuple[str, int]]:
        """The guards that have refused no call yet: the tool, and the guard's number in it, counted from 0."""
        return [
            (tool, number)
            for tool, fired in self._fired.items()
            for number, place in enumerate(self._guards.places(tool))
            if place not in fired
        ]

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


def _way(tool: str, param: str, given: bool) -> str:
    return f"tools.{tool}.params.{param}.{'given' if given else 'left_out'}"


def _statuses(outcome: Outcome) -> set[Status]:
    return {
        Status(change.table, column, value)
        for change in outcome.changes
        for column, value in (change.new or {}).items()
        if isinstance(value, str) and is_status(column)
    }
