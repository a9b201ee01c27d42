"""What a model fills in for a task. The descriptions are part of the prompt."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_DEEPEST = 20
"""Brackets within each other. What reads SQL as a tree gives up at about forty."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _plain(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("it holds control characters")
    return text


def _shallow(sql: str) -> str:
    depth = deepest = 0
    for char in sql:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise ValueError(f"its brackets are nested more than {_DEEPEST} deep")
    return _plain(sql)


Words = Annotated[str, AfterValidator(_plain)]
"""Text for people."""
Sql = Annotated[str, Field(max_length=20_000), AfterValidator(_shallow)]
Name = Annotated[str, Field(max_length=63)]


class Draft(BaseModel):
    model_config = ConfigDict(extra="forbid")


class IdeaDraft(Draft):
    title: Words = Field(description="Three to seven words, unlike every other title", max_length=80)
    role: Name = Field(description="Role of the person who asks")
    actor_id: int = Field(description="Key of that person's row, among the rows shown")
    wants: Words = Field(description="What the person wants and why, in one or two sentences", max_length=600)
    outcome: Words = Field(
        description="What is different in the data then, or what is to be answered", max_length=400
    )
    tools: list[Name] = Field(description="Tools that it takes, in order; all open to the role", max_length=20)
    queries: list[Sql] = Field(
        default=[],
        max_length=6,
        description="SELECT statements whose rows are needed to make it concrete: which rows there are, which are "
        "near misses. Few columns, at most 15 rows",
    )


class IdeasDraft(Draft):
    ideas: list[IdeaDraft] = Field(min_length=1, max_length=20)


class GroundingDraft(Draft):
    phrase: Words = Field(description="Words of the instruction, exactly as they stand there; … stands for a gap")
    expect: Literal["one", "set", "first", "created"] = Field(
        description="one: exactly one row; set: at least one; first: the first by `order`, without a tie; "
        "created: a row that the task makes"
    )
    sql: Sql | None = Field(
        default=None,
        description="Query over before.* that gives exactly the rows meant, their key first; for `first` all that "
        "compete, with the columns of `order`. Absent for `created`",
    )
    table: str | None = Field(default=None, description="Table of the rows meant. Absent for `created`")
    order: Sql | None = Field(
        default=None, description="For `first`: ORDER BY terms, such as `seats` or `price DESC`"
    )
    bind: str | None = Field(default=None, description="For `created`: a lower_snake_case name for the new row")


class StepDraft(Draft):
    """A call or a pick."""

    call: str | None = Field(default=None, description="Tool to call")
    args: dict[str, Any] = Field(
        default={}, description="What the person said, as literals; what was found, as references: `$found.id`, `$it`"
    )
    as_: str | None = Field(default=None, alias="as", description="Name for the call's result")
    each: str | None = Field(default=None, description="`$list`: the call is made for each item, which is `$it`")
    pick: str | None = Field(default=None, description="Name for what `sql` chooses from earlier results")
    sql: Sql | None = Field(
        default=None, description="For a pick: SELECT … FROM $found (columns are those of the tool's result)"
    )
    many: bool = Field(
        default=False, description="For a pick: any number of rows; otherwise it must find exactly one"
    )


class AnswerDraft(Draft):
    kind: Literal["text", "number", "date", "choice", "list", "set", "object", "rows"]
    describe: Words = Field(
        max_length=500, description="Shown to whoever answers: what to give, in which unit. Never the answer"
    )
    sql: Sql = Field(
        description="The right answer, worked out from before.* (or after.*) without looking at gold: first value; "
        "list and set: first column of each row; object: one row, columns named as `fields`; rows: all rows"
    )
    gold: Any = Field(description="What gold submits: a reference such as `$largest.name`, or an object of them")
    accept: list[Words] = Field(default=[], max_length=20, description="Other texts that say the same")
    tolerance: float = Field(default=0, description="For amounts that are rounded; 0 for counts", ge=0)
    options: list[Words] = Field(default=[], max_length=50, description="For choice")
    of: Literal["text", "number", "date", "choice"] = Field(default="text", description="For list and set")
    fields: dict[str, Literal["text", "number", "date", "choice"]] = Field(default={}, description="For object")
    key: list[str] = Field(default=[], description="For rows: columns that tell them apart")
    columns: dict[str, Literal["text", "number", "date", "choice"]] = Field(default={}, description="For rows")


class TaskDraft(Draft):
    title: Words = Field(description="Three to seven words", max_length=80)
    instruction: Words = Field(
        description="The request, as the person would write it to an assistant", max_length=3_000
    )
    grounding: list[GroundingDraft] = Field(default=[], max_length=40)
    goal_text: Words = Field(description="What is so when the request is met, in one sentence", max_length=2_000)
    goal_sql: Sql | None = Field(
        default=None,
        description="SELECT over before.* and after.* whose first value is true exactly then, worked out from the "
        "instruction, not from gold. Absent where nothing is to change",
    )
    gold: list[StepDraft] = Field(min_length=1, max_length=60, description="Calls and picks. Submitting is added")
    answer: AnswerDraft | None = Field(default=None, description="Only where the person asks something")


class CheckDraft(Draft):
    name: Words = Field(description="What must be so, in a few words", max_length=80)
    sql: Sql = Field(description="SELECT whose first value is true")


class AllowDraft(Draft):
    """One of: key with columns, insert_max, delete_max."""

    table: str
    key: dict[str, int | float | str | None] | None = Field(default=None, description="The row that may be updated …")
    columns: list[str] = Field(default=[], description="… and in which columns")
    insert_max: int | None = Field(default=None, ge=1, description="How many rows may be added")
    delete_max: int | None = Field(default=None, ge=1, description="How many rows may be deleted")
    where: Sql | None = Field(default=None, description="Condition on the columns of the rows added or deleted")


class VerifierDraft(Draft):
    bind: dict[Name, Sql] = Field(
        default={},
        description="Name → query over inserted.* that gives the key of exactly one new row; used as :name",
    )
    require: list[CheckDraft] = Field(min_length=1, max_length=60)
    allow: list[AllowDraft] | None = Field(
        default=None, description="What may change. Absent (usual): exactly the rows and columns that gold changed"
    )
    free: dict[str, list[str]] = Field(
        default={},
        description="Table → columns that are not compared at all: set by a tool from the clock, or left to whoever "
        "does the task",
    )


class RepairDraft(Draft):
    """What is absent stays as it is."""

    reason: Words = Field(description="What was wrong, and why the change mends it", max_length=800)
    give_up: bool = Field(default=False, description="The task cannot be mended")
    instruction: Words | None = Field(default=None, max_length=3_000)
    grounding: list[GroundingDraft] | None = Field(
        default=None, max_length=40, description="All of it, if any changes"
    )
    goal_text: Words | None = Field(default=None, max_length=2_000)
    goal_sql: Sql | None = None
    gold: list[StepDraft] | None = Field(default=None, max_length=60, description="All steps, if any changes")
    answer: AnswerDraft | None = None
    verifier: VerifierDraft | None = Field(default=None, description="The whole verifier, if it changes")
