"""The shape of a review, as a model fills it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ....environments.models.tools import ErrorCode


class _Draft(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ActorDraft(_Draft):
    roles: list[str] = Field(min_length=1, description="Roles the actor holds")
    id: int = Field(description="Id of the row that holds them")


class CallDraft(_Draft):
    call: str = Field(description="Name of a tool")
    args: dict[str, Any] = Field(default={}, description="Its arguments")
    actor: ActorDraft | None = Field(default=None, description="Who calls, if not the probe's actor")


class ExpectationDraft(_Draft):
    """What a sound environment would show after the calls. One key each."""

    succeeds: bool | None = Field(default=None, description="true: the last call succeeds")
    fails: list[ErrorCode] | None = Field(default=None, min_length=1, description="It fails with one of these codes")
    unchanged: bool | None = Field(default=None, description="true: the last call changed no row")
    sql: str | None = Field(default=None, description="SELECT that is true over before.TABLE and after.TABLE")
    result: str | None = Field(
        default=None, description="SELECT that is true; table `result` holds the rows the last call returned"
    )
    invariants: bool | None = Field(default=None, description="true: every invariant holds")


class ProbeDraft(_Draft):
    actor: ActorDraft | None = Field(default=None, description="Who makes the calls")
    task: str | None = Field(default=None, description="Id of the task in whose world they are made, if it matters")
    calls: list[CallDraft] = Field(
        default=[], description="Calls in a fresh world; may be empty for `sql` on the seed"
    )
    expect: list[ExpectationDraft] = Field(description="What a sound environment would show")


class ClaimDraft(_Draft):
    kind: str = Field(description="One of the usual kinds, or another word_like_these")
    severity: Literal["blocker", "major", "minor"]
    where: str = Field(description="tools.NAME, schema.TABLE, seed.TABLE, tasks.ID, policy or requirements")
    message: str = Field(description="What is wrong, in one or two sentences, with the values that show it")
    probe: ProbeDraft | None = Field(default=None, description="What shows it")


class ReviewDraft(_Draft):
    claims: list[ClaimDraft] = Field(description="Most severe first, at most ten; empty if nothing is wrong")
