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


class ShownResult(CallResult):
    """The answer to a call of a player. `value` and the message of `error` have the form that the player sees, the
    code is the canonical one."""

    seen: Any = None

    def payload(self) -> Any:
        return self.seen


class RowChange(Frozen):
    """One changed row. `key` maps primary key columns to values (for updates, the old ones); `old` and `new`
    hold only the columns that changed (updates), all columns (inserts: new; deletes: old)."""

    table: Name
    op: Literal["insert", "update", "delete"]
    key: dict[str, Any]
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}


class ShownCall(Frozen):
    """A call as its player made it, where the surface of the environment is not the plain one: the tool's name, the
    arguments, and the JSON that came back."""

    tool: str
    args: dict[str, Any]
    payload: Any


class TraceEvent(Frozen):
    """One event: a message (`role`, `text`), a tool call with its result and the rows it changed, or the
    submission. `tool`, `args` and `result` have the canonical form, but for a call that has none (an unknown tool);
    `shown` is what the player typed and saw, absent where that is the same. `seconds` is wall time, no part of any
    comparison."""

    kind: Literal["message", "call", "submit"]
    role: Literal["system", "user", "assistant"] | None = None
    text: str | None = None
    tool: str | None = None
    args: dict[str, Any] | None = None
    result: CallResult | None = None
    shown: ShownCall | None = None
    changes: tuple[RowChange, ...] = ()
    seconds: float = 0.0

    @property
    def told(self) -> tuple[str | None, dict[str, Any] | None, Any]:
        """Tool, arguments and answer as the player has them (None: no answer is recorded)."""
        if self.shown is not None:
            return self.shown.tool, self.shown.args, self.shown.payload
        return self.tool, self.args, None if self.result is None else self.result.payload()


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
