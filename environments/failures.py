"""From what went wrong inside a call to the error that its caller sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from .connections import StepBudget
from .models import CallResult, ToolFailure
from .models.tools import ErrorCode
from .plans import Message
from .values import SQLiteValue

_TOO_MUCH = (apsw.TooBigError, apsw.FullError, apsw.NoMemError)
"""FullError: the database has too many pages, or a sort spilled too much."""
_OUT_OF_RANGE = ("integer overflow", "LIKE or GLOB pattern too complex")


@dataclass
class CallFailed(Exception):
    """Ends a call: nothing of it stays. `detail` is for people, never for solvers. `filled`: the text with names in
    braces that the message was made of, and the values."""

    code: ErrorCode
    message: str
    detail: str = ""
    filled: tuple[Message, Mapping[str, SQLiteValue]] | None = None

    def result(self) -> CallResult:
        return CallResult(ok=False, error=ToolFailure(code=self.code, message=self.message), detail=self.detail)


def failure_of(error: Exception, budget: StepBudget) -> CallFailed:
    """What an exception raised while SQL ran means for the call."""
    if isinstance(error, CallFailed):
        return error
    if isinstance(error, apsw.InterruptError) and budget.spent == "steps":
        return CallFailed("limit_exceeded", "The call took too many steps.")
    if isinstance(error, apsw.InterruptError) and budget.spent == "seconds":
        return internal(f"took longer than {budget.seconds:g} seconds")
    if isinstance(error, _TOO_MUCH):
        return CallFailed("limit_exceeded", "The call handles too much data.", f"{type(error).__name__}: {error}")
    if isinstance(error, UnicodeError):
        return CallFailed("limit_exceeded", "A text is not valid Unicode.", f"{type(error).__name__}: {error}")
    if isinstance(error, apsw.ConstraintError):
        return CallFailed("conflict", f"Not possible: {error}.", f"unforeseen constraint: {error}")
    if isinstance(error, apsw.SQLError) and str(error).startswith(_OUT_OF_RANGE):
        return CallFailed("limit_exceeded", "A value is out of range.", str(error))
    return internal(f"{type(error).__name__}: {error}")


def internal(detail: str) -> CallFailed:
    """The world's own fault: the rollout says nothing about its solver."""
    return CallFailed("internal", "The service failed.", detail)
