"""What the coder asks a model to fill: steps and results of tools, rows of tables, patches."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from ....environments.models import Frozen, Param, Returns, TableContract
from ....environments.models.environment import Name
from ....environments.models.tools import Do, Failure, Let, Require, RowQuery
from ..architect.drafts import Line, Sql, TableDraft

Place = Annotated[str, StringConstraints(pattern=r"^[a-z_A-Z]+(\.\w+){0,6}$")]


class StepDraft(Frozen):
    """One of `let`, `require` with `error`, or `do`."""

    let: dict[Name, str | RowQuery] | None = Field(default=None, description="Names bound to SQL, in order.")
    require: Sql | None = None
    error: Failure | None = Field(default=None, description="Of `require`.")
    roles: tuple[Name, ...] | None = Field(default=None, description="Of `require`: whom it binds.")
    do: Sql | None = None
    rows: int | None = Field(default=None, description="Of `do`: how many rows it must touch.")
    as_: Name | None = Field(default=None, alias="as", description="Of `do`: binds the RETURNING column.")

    @model_validator(mode="after")
    def _one_kind(self) -> StepDraft:
        if sum(kind is not None for kind in (self.let, self.require, self.do)) != 1:
            raise ValueError("a step is exactly one of let, require, do")
        if (self.require is None) != (self.error is None):
            raise ValueError("require goes with error {code, message}, and nothing else does")
        if self.roles is not None and self.require is None:
            raise ValueError("roles of a step go with require")
        if self.do is None and (self.rows is not None or self.as_ is not None):
            raise ValueError("rows and as go with do")
        return self

    def step(self) -> Let | Require | Do:
        if self.let is not None:
            return Let(let=self.let)
        if self.require is not None and self.error is not None:
            return Require(require=self.require, error=self.error, roles=self.roles)
        return Do(do=self.do or "", rows=self.rows, as_=self.as_)


class WrittenTool(Frozen):
    """How a tool works. What its contract says already is left out, unless it was wrong."""

    name: Name
    steps: tuple[StepDraft, ...] = ()
    returns: Returns | None = Field(default=None, description='Absent: the result is {"ok": true}.')
    params: dict[Name, Param] = Field(default={}, description="Only parameters that the contract lacks or has wrong.")
    required: tuple[Name, ...] | None = Field(default=None, description="Only if the contract's is wrong.")
    contract: dict[Name, TableContract] | None = Field(default=None, description="Whole, only if it is wrong.")


class WrittenTools(Frozen):
    """All tools of one group."""

    tools: tuple[WrittenTool, ...] = Field(min_length=1)


class TableRows(Frozen):
    table: Name
    columns: tuple[Name, ...] = Field(min_length=1)
    rows: tuple[tuple[Any, ...], ...] = Field(max_length=400, description="Values in the order of `columns`.")


class SeedDraft(Frozen):
    """Rows of some tables. A row of an earlier table is changed by giving it again with its key."""

    tables: tuple[TableRows, ...] = Field(min_length=1)


class ReplacedTool(Frozen):
    """A tool, whole."""

    name: Name
    description: str
    kind: Literal["read", "write"]
    roles: tuple[Name, ...] | None = None
    params: dict[Name, Param] = {}
    required: tuple[Name, ...] = ()
    steps: tuple[StepDraft, ...] = ()
    returns: Returns | None = None
    contract: dict[Name, TableContract] = {}


class Replacement(Frozen):
    """Words of a text and what takes their place."""

    find: str = Field(min_length=1, max_length=2_000, description="Stands exactly once in the text.")
    by: str = Field(max_length=4_000)


class ToolEdit(Frozen):
    """A part of a tool that is replaced, put in, or taken out (null)."""

    tool: Name
    place: Place = Field(description="steps.2, returns, returns.many, params.status, required, description, contract")
    value: Any = None
    insert: bool = Field(default=False, description="For places in lists: before what stands there.")
    replace: tuple[Replacement, ...] = Field(
        default=(), max_length=10, description="For long texts, instead of `value`: only these words change."
    )

    @model_validator(mode="after")
    def _one_way(self) -> ToolEdit:
        if self.replace and (self.value is not None or self.insert):
            raise ValueError("replace goes without value and insert")
        return self


class RowEdit(Frozen):
    """A row of the seed that is changed, inserted (a new key) or deleted."""

    table: Name
    key: dict[Name, str | int | float] = Field(min_length=1, description="All columns of the primary key.")
    set: dict[Name, Any] = {}
    delete: bool = False


class InvariantEdit(Frozen):
    name: Line
    sql: Sql | None = Field(default=None, description="Null takes the invariant out.")


class RuleEdit(Frozen):
    number: int = Field(ge=1)
    text: Line


class NoDefect(Frozen):
    finding: int = Field(ge=1, description="Its number.")
    reason: Line = Field(description="Why the service is right as it is.")


class PatchDraft(Frozen):
    """The smallest change that mends the findings."""

    give_up: Line | None = Field(default=None, description="Why nothing can be mended; then nothing else is given.")
    show: tuple[Name, ...] = Field(
        default=(),
        max_length=8,
        description="Tools to see whole before anything is mended; then nothing else is given.",
    )
    no_defect: tuple[NoDefect, ...] = Field(default=(), description="Findings that are false alarms: left alone.")
    edits: tuple[ToolEdit, ...] = ()
    tools: tuple[ReplacedTool, ...] = Field(default=(), description="Tools that must be written anew, or are new.")
    rows: tuple[RowEdit, ...] = ()
    tables: tuple[TableDraft, ...] = Field(default=(), description="Whole CREATE TABLE statements that are replaced.")
    invariants: tuple[InvariantEdit, ...] = ()
    policy: tuple[RuleEdit, ...] = ()
