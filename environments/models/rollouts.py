"""A solver's attempt at a task, and its trace."""

from __future__ import annotations

from typing import Any, Literal

from .environment import Name
from .frozen import Frozen
from .tasks import Submission
from .tools import ErrorCode
from .verdicts import Verdict


class ToolFailure(Frozen):
    """An error that a tool call answers with; the solver sees code and message."""

    code: ErrorCode
    message: str


class CallResult(Frozen):
    """The answer to a tool call: `value` when it succeeded, else `error`. `detail` explains an internal error
    or an unforeseen constraint to people; solvers never see it."""

    ok: bool
    value: Any = None
    error: ToolFailure | None = None
    detail: str = ""

    def payload(self) -> Any:
        """The JSON that a solver sees."""
        if self.error is None:
            return self.value
        return {"error": {"code": self.error.code, "message": self.error.message}}


class RowChange(Frozen):
    """One changed row. `key` maps primary key columns to values (for updates, the old ones); `old` and `new`
    hold only the columns that changed (updates), all columns (inserts: new; deletes: old)."""

    table: Name
    op: Literal["insert", "update", "delete"]
    key: dict[str, Any]
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}


class TraceEvent(Frozen):
    """One event: a message (`role`, `text`), a tool call with its result and the rows it changed, or the
    submission. `seconds` is wall time, no part of any comparison."""

    kind: Literal["message", "call", "submit"]
    role: Literal["system", "user", "assistant"] | None = None
    text: str | None = None
    tool: str | None = None
    args: dict[str, Any] | None = None
    result: CallResult | None = None
    changes: tuple[RowChange, ...] = ()
    seconds: float = 0.0


class Trace(Frozen):
    """The record of one episode."""

    environment: str
    task: str | None = None
    events: tuple[TraceEvent, ...] = ()
    submission: Submission | None = None
    limit: str | None = None
    """The limit the actor ran into, if any."""


class Rollout(Frozen):
    """One solver's attempt at one task version."""

    environment: str
    task: str
    version: str
    solver: str
    profile: str
    """Hash of the solver profile."""
    purpose: Literal["measure", "confirm", "effect", "occupancy", "audit", "free"]
    index: int
    """Counts from 0 within (version, profile, purpose); names the rollout's random seed."""
    verdict: Verdict
    trace: Trace
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
