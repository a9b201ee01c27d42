"""What a verifier says of a rollout."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .frozen import Frozen

Outcome = Literal["completed", "incomplete", "damaged", "protocol", "environment_error", "infra_error"]


class CheckResult(Frozen):
    """One check of a verdict. `before`: whether it already held in the seed state (None: cannot be told)."""

    name: str
    holds: bool
    before: bool | None = None
    detail: str = ""


class Verdict(Frozen):
    """`reward` is 1 for completed, 0 otherwise, None where the rollout says nothing about the solver.
    `code` tells protocol failures apart: `limit`, `unparseable`, `gave_up`."""

    outcome: Outcome
    reward: float | None = Field(default=None, ge=0, le=1)
    checks: tuple[CheckResult, ...] = ()
    unallowed: tuple[str, ...] = ()
    """Changes that nothing allows, each as a short sentence naming table, row and column."""
    code: str | None = None
    message: str = ""

    @property
    def passed(self) -> bool:
        return self.outcome == "completed"
