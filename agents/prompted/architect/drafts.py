"""What the architect asks a model to fill: requirements first, then schema by part, then contracts by group."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from ....environments.models import Frozen, Param, TableContract
from ....environments.models.environment import Name

Line = Annotated[str, StringConstraints(min_length=1, max_length=600, strip_whitespace=True)]
Sql = Annotated[str, StringConstraints(min_length=1, max_length=6_000, strip_whitespace=True)]
Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,40}$")]


class ActorDraft(Frozen):
    role: Name
    table: Name = Field(description="The table whose rows are these people.")
    where: str | None = Field(default=None, max_length=300, description="SQL condition on that table: role = 'host'")
    who: Line = Field(description="Who they are and what they may see and change.")


class WantDraft(Frozen):
    id: Key = Field(description="r1, r2, …")
    actor: Name = Field(description="A role of `actors`.")
    want: Line = Field(description="One sentence: A host moves a party that has grown to a larger table.")
    says: Line = Field(description="What this person would say to an assistant, in plain words, no ids.")
    tables: tuple[Name, ...] = Field(min_length=1, description="Every table whose rows are read or changed for it.")
    after: Line = Field(description="What is different in the data afterwards; what is told if nothing is.")
    refused_by: int | None = Field(default=None, description="The number of the policy rule that forbids it, if any.")


class WordDraft(Frozen):
    word: Line
    meaning: Line = Field(description="Exactly what it means, in terms of the data.")


class TablePlan(Frozen):
    name: Name
    about: Line


class PartPlan(Frozen):
    name: Key
    purpose: Line
    tables: tuple[TablePlan, ...] = Field(min_length=1)


class GroupPlan(Frozen):
    name: Key
    requirements: tuple[Key, ...] = Field(min_length=1, description="Ids of the requirements that it serves.")
    tools: tuple[Name, ...] = Field(min_length=1, description="Names of its tools; no other group has them.")


class RequirementsDraft(Frozen):
    """What the service is, what people want of it, and how the work on it is split."""

    service: Line = Field(description="The name of the service, two to five words.")
    summary: Line
    actors: tuple[ActorDraft, ...] = Field(min_length=1)
    requirements: tuple[WantDraft, ...] = Field(min_length=1)
    policy: tuple[Line, ...] = Field(min_length=1, description="Rules without their numbers, in order.")
    glossary: tuple[WordDraft, ...] = ()
    conditions: tuple[Line, ...] = Field(
        min_length=1, description="What must hold in the data at every moment, whatever was called."
    )
    parts: tuple[PartPlan, ...] = Field(
        min_length=1, description="The schema in parts; a part refers to earlier ones."
    )
    groups: tuple[GroupPlan, ...] = Field(min_length=1)


class TableDraft(Frozen):
    name: Name
    sql: Sql = Field(description="CREATE TABLE name (…) STRICT")


class InvariantDraft(Frozen):
    name: Line
    sql: Sql = Field(description="A SELECT of the rows that break it; it must return none.")
    condition: int | None = Field(default=None, description="Number of the condition that it states.")


class WordSql(Frozen):
    word: Line
    sql: Sql = Field(description="A condition on the columns of one table; :now and :today are bound.")


class OrderDraft(Frozen):
    column: str = Field(description="table.column that holds a position.")
    within: Name = Field(description="The column of that table whose rows are ranked together.")


class SchemaDraft(Frozen):
    """The tables of one part."""

    tables: tuple[TableDraft, ...] = Field(min_length=1)
    indexes: tuple[Sql, ...] = Field(default=(), description="CREATE INDEX statements.")
    clock: tuple[str, ...] = Field(
        default=(),
        description="table.column or *.column set from the clock, which nobody asks about: never compared.",
    )
    code: tuple[str, ...] = Field(default=(), description="table.column filled with generated codes.")
    log: tuple[Name, ...] = Field(default=(), description="Tables that only record what happened.")
    order: tuple[OrderDraft, ...] = ()
    invariants: tuple[InvariantDraft, ...] = ()
    held: tuple[int, ...] = Field(
        default=(), description="Numbers of conditions that CHECK, UNIQUE, NOT NULL or keys hold by themselves."
    )
    words: tuple[WordSql, ...] = ()


class ContractDraft(Frozen):
    """What one tool promises, before it is written."""

    name: Name
    description: str = Field(min_length=1, max_length=400, description="For the agent that will call it.")
    kind: Literal["read", "write"]
    roles: tuple[Name, ...] | None = Field(default=None, description="Who may call it; absent: everyone.")
    params: dict[Name, Param] = {}
    required: tuple[Name, ...] = ()
    result: tuple[Name, ...] = Field(description="Columns of the result, `total` and paging left out.")
    reads: tuple[Name, ...] = Field(description="Tables whose rows it shows or checks.")
    contract: dict[Name, TableContract] = Field(default={}, description="What it writes, by table.")
    serves: tuple[Key, ...] = Field(description="Ids of requirements.")


class ContractsDraft(Frozen):
    """The tools of one group."""

    tools: tuple[ContractDraft, ...] = Field(min_length=1)


class SettledTool(ContractDraft):
    group: Key


class SettlementDraft(Frozen):
    """What settles conflicts between groups."""

    drop: tuple[str, ...] = Field(default=(), description="Tools that go, as group/tool.")
    tools: tuple[SettledTool, ...] = Field(default=(), description="Tools that are new or replaced, whole.")
