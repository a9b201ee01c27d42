"""Telling failed calls apart: refused by a guard of the tool, or by the runtime for a reason that no step foresaw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...environments.models import CallResult, Require
from ...environments.resolution import ResolvedTool

_HEAVY = ("The call took too many steps", "The result has more than", "The result is too large")


def is_unforeseen(result: CallResult) -> bool:
    """Whether a constraint of the schema ended the call, and no step had foreseen it."""
    return result.error is not None and result.error.code == "conflict" and bool(result.detail)


def is_too_heavy(result: CallResult) -> bool:
    """Whether the call ran into the runtime's limits on work or size."""
    return (
        result.error is not None and result.error.code == "limit_exceeded" and result.error.message.startswith(_HEAVY)
    )


class _Guard(NamedTuple):
    """`said`: how many characters of the message stand fast."""

    where: str
    code: str
    message: re.Pattern[str]
    said: int


class Guards:
    """The `require`s of all tools: which of them refused a call is told from its error."""

    def __init__(self, tools: Mapping[str, ResolvedTool]) -> None:
        self._guards = {name: tuple(_guards(tool)) for name, tool in tools.items()}

    def places(self, tool: str) -> tuple[str, ...]:
        return tuple(guard.where for guard in self._guards[tool])

    def fired(self, tool: str, result: CallResult) -> str | None:
        """The place of the guard that refused the call; None if none did. Of several whose error it can be, the one
        whose message says most of it: "It is pinned already." before "It is {status}."."""
        error = result.error
        if error is None or result.detail:
            return None
        could = [
            guard
            for guard in self._guards.get(tool, ())
            if guard.code == error.code and guard.message.fullmatch(error.message)
        ]
        return max(could, key=lambda guard: guard.said).where if could else None


def _guards(tool: ResolvedTool) -> Iterator[_Guard]:
    for index, step in enumerate(tool.steps):
        if isinstance(step, Require):
            parts = re.split(r"\{[^{}]*\}", step.error.message)
            pattern = re.compile(".*".join(map(re.escape, parts)), re.DOTALL)
            yield _Guard(f"tools.{tool.name}.steps.{index}", step.error.code, pattern, sum(map(len, parts)))
