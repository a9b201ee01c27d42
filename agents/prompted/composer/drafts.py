"""What the composer asks a model to fill: a choice from the library with the scenario's nouns, then word lists."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from ....environments.models import Frozen

Word = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
Choices = dict[Word, Word]


class RolesDraft(Frozen):
    customer: Word = Field(description="Who the service is for: reader, patient, shareholder.")
    staff: Word = Field(description="Who does the daily work: librarian, nurse.")
    manager: Word = Field(description="Who decides what staff may not: head librarian.")


class DesignDraft(Frozen):
    """Archetypes and links of the library, and what they are called here."""

    archetypes: dict[Word, Choices] = Field(
        min_length=1,
        description='archetype -> variant -> choice: {"orders": {"delivery": "pickup"}, "catalogue": {}}',
    )
    links: dict[Word, Choices] = Field(default={}, description="link -> variant -> choice")
    category: Word = Field(description="The category whose word lists fit best.")
    trade: str = Field(default="", max_length=60, description="A trade of that category; empty if none fits.")
    roles: RolesDraft
    nouns: dict[Word, Word] = Field(description='"archetype.entity" -> singular noun: {"orders.order": "cake order"}')


class GroupDraft(Frozen):
    heading: Word
    words: tuple[Word, ...] = Field(min_length=1)


class WordsDraft(Frozen):
    """Lists that replace those of the library, each whole."""

    lists: dict[Word, tuple[Word, ...]] = Field(default={}, description="name of a plain list -> its words")
    grouped: dict[Word, tuple[GroupDraft, ...]] = Field(
        default={}, description="name of a list with headings -> its headings with their words"
    )
