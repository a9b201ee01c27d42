"""The shapes that a model fills: a batch of scenarios, and what a second reading says of them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class _Draft(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class IdeaDraft(_Draft):
    name: str = Field(description="What the service is called, two to five words; unlike every other name")
    category: str = Field(description="One of the categories, as written")
    text: str = Field(description="One to three sentences: who does what there, on which things, under which rules")
    why: str = Field(default="", description="In a few words: what state it keeps, and which actions change it")


class BatchDraft(_Draft):
    scenarios: list[IdeaDraft]


class RatingDraft(_Draft):
    number: int = Field(description="The scenario's number")
    suitable: bool
    category: str = Field(description="The category whose daily work it is, as written in the list")
    reason: str = Field(default="", description="Where it is not suitable: why, in a few words")


class RatingsDraft(_Draft):
    ratings: list[RatingDraft] = Field(description="One for each scenario")
