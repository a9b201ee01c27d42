"""Transient faults that a task injects, so that recovery is needed.

{tool: book_table, call: 1, kind: error}      the first call of the tool answers that the service is busy
{tool: book_table, call: 2, kind: conflict}   the second answers that someone else was faster; trying again works
{tool: list_tables, call: 1, kind: stale}     the first answers with the seed state's rows
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from .failures import CallFailed
from .models import CallResult, Frozen
from .models.environment import Name

_MESSAGES = {
    "error": "The service is busy. Nothing was done; try again.",
    "conflict": "Someone else changed this at the same time. Nothing was done; look again and retry.",
}


class Fault(Frozen):
    """What goes wrong at the `call`-th call (from 1) of `tool`, and of the `times - 1` calls after it."""

    tool: Name
    call: int = Field(default=1, ge=1)
    times: int = Field(default=1, ge=1)
    kind: Literal["error", "conflict", "stale"]

    def hits(self, call: int) -> bool:
        return self.call <= call < self.call + self.times


class Faults:
    """The faults of one episode; counts calls by tool."""

    __slots__ = ("_calls", "_faults")

    def __init__(self, faults: Iterable[dict[str, Any]], calls: Counter[str] | None = None) -> None:
        self._faults = tuple(Fault.model_validate(fault) for fault in faults)
        self._calls = Counter[str](calls or {})

    def next(self, tool: str) -> Fault | None:
        """Count a call; the fault that hits it, if any."""
        if not self._faults:
            return None
        self._calls[tool] += 1
        return next((fault for fault in self._faults if fault.tool == tool and fault.hits(self._calls[tool])), None)

    def fork(self) -> Faults:
        copy = Faults((), self._calls)
        copy._faults = self._faults
        return copy


def failed(fault: Fault) -> CallResult:
    """The answer of a call that a fault ends."""
    code: Literal["conflict", "limit_exceeded"] = "conflict" if fault.kind == "conflict" else "limit_exceeded"
    return CallFailed(code, _MESSAGES[fault.kind]).result()
