"""What a model fills in for a child of a task."""

from __future__ import annotations

from pydantic import Field

from ..task_writer.drafts import Draft, TaskDraft, Words

Cell = int | float | str | None


class RowEdit(Draft):
    """A row of this task only: `insert` a whole one, or `update` columns of the one with `key`."""

    table: str
    insert: dict[str, Cell] | None = None
    key: dict[str, Cell] | None = None
    update: dict[str, Cell] | None = None


class ChildDraft(Draft):
    applies: bool = Field(default=True, description="False if the operator cannot be applied to this task")
    reason: Words = Field(description="What was changed, or why it does not apply", max_length=600)
    task: TaskDraft | None = Field(default=None, description="The whole child task. Absent if only rows change")
    rows: list[RowEdit] = Field(
        default=[], max_length=30, description="Only for operators that change rows of this task; keys unused so far"
    )
    drop_rows: bool = Field(default=False, description="Take the parent's own rows out first")


class RewordedPhrase(Draft):
    was: Words = Field(description="A phrase of the grounding, as it stands there")
    now: Words = Field(description="The same phrase as it stands in the new instruction; … stands for a gap")


class RewordingDraft(Draft):
    instruction: Words = Field(max_length=3_000, description="The same request in other words")
    phrases: list[RewordedPhrase] = Field(
        default=[], max_length=40, description="Phrases that read otherwise now; those left out stand as before"
    )
