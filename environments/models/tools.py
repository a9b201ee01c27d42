"""tools.yaml: tools as guarded SQL."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from .environment import Name
from .frozen import Frozen

ErrorCode = Literal["invalid_argument", "not_found", "forbidden", "conflict", "limit_exceeded", "internal"]


Bound = Annotated[float, Field(allow_inf_nan=False)] | None


class Scope(Frozen):
    """Ownership: for actors of `roles` (absent: all), the referenced row must satisfy `where`."""

    where: str
    roles: tuple[Name, ...] | None = None
    code: Literal["forbidden", "not_found"] = "forbidden"


class Param(Frozen):
    """A parameter: JSON Schema, plus `ref` (the value must exist in `table.column`) and `scope`."""

    type: Literal["string", "integer", "number", "boolean", "array", "object"]
    description: str = ""
    enum: tuple[str | int | float | bool, ...] | None = None
    minimum: Bound = None
    maximum: Bound = None
    exclusive_minimum: Bound = Field(default=None, alias="exclusiveMinimum")
    exclusive_maximum: Bound = Field(default=None, alias="exclusiveMaximum")
    multiple_of: Bound = Field(default=None, alias="multipleOf")
    min_length: int | None = Field(default=None, alias="minLength")
    max_length: int | None = Field(default=None, alias="maxLength")
    pattern: str | None = None
    format: Literal["date", "date-time", "time", "email"] | None = None
    """`date` is YYYY-MM-DD, `date-time` is YYYY-MM-DD HH:MM:SS, `time` is HH:MM."""
    items: Param | None = None
    min_items: int | None = Field(default=None, alias="minItems")
    max_items: int | None = Field(default=None, alias="maxItems")
    unique_items: bool | None = Field(default=None, alias="uniqueItems")
    properties: dict[Name, Param] | None = None
    required: tuple[Name, ...] | None = None
    default: Any = None
    nullable: bool = False
    ref: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")] | None = None
    scope: Scope | None = None


class UseParam(Frozen):
    """A parameter taken from `shared.params`."""

    use: Name


class Failure(Frozen):
    """The error of a `require`. `message` may name bound values in braces: `Booking {booking_id} is closed.`"""

    code: Literal["invalid_argument", "not_found", "forbidden", "conflict", "limit_exceeded"]
    message: str


class RowQuery(Frozen):
    """A `let` that binds each column of one row as `name_column`."""

    row: str


class Let(Frozen):
    """Bind scalars (`name: SQL`) or the columns of a row (`name: {row: SQL}`), in order. No row binds NULL."""

    let: dict[Name, str | RowQuery] = Field(min_length=1)


class Require(Frozen):
    """Go on only if the query's first value is true; with `roles`, skipped for an actor who also holds another
    role that the tool admits."""

    require: str
    error: Failure
    roles: tuple[Name, ...] | None = None


class Do(Frozen):
    """A write. `rows`: how many rows it must touch (another count is an internal error; absent: any).
    `as`: binds the first column of the first RETURNING row."""

    do: str
    rows: int | None = None
    as_: Name | None = Field(default=None, alias="as")


class UseStep(Frozen):
    """Steps taken from `shared.steps`."""

    use: Name


def _step_kind(value: Any) -> str | None:
    keys = value if isinstance(value, dict) else value.model_fields_set
    return next((kind for kind in ("let", "require", "do", "use") if kind in keys), None)


Step = Annotated[
    Annotated[Let, Tag("let")]
    | Annotated[Require, Tag("require")]
    | Annotated[Do, Tag("do")]
    | Annotated[UseStep, Tag("use")],
    Discriminator(
        _step_kind,
        custom_error_type="unknown_step",
        custom_error_message="a step is one of let, require, do, use",
    ),
]


class OrderOptions(Frozen):
    """Named total orders the caller may choose from through the parameter `sort`."""

    options: dict[Name, str] = Field(min_length=1)
    default: Name

    @model_validator(mode="after")
    def _default_exists(self) -> OrderOptions:
        if self.default not in self.options:
            raise ValueError(f"default {self.default!r} is not among {sorted(self.options)}")
        return self


class Page(Frozen):
    """The runtime adds `limit` and `offset`, and answers with `total` and `next_offset`."""

    default: int = Field(default=20, ge=1)
    max: int = Field(default=100, ge=1, le=1000)


class Returns(Frozen):
    """A tool's result: `one` row as an object, `many` rows as `{"items": [...]}`, or a single `value`."""

    one: str | None = None
    many: str | None = None
    value: str | None = None
    types: dict[str, Literal["json", "boolean"]] = {}
    order: str | OrderOptions | None = None
    page: Page | None = None

    @model_validator(mode="after")
    def _one_query(self) -> Returns:
        if sum(query is not None for query in (self.one, self.many, self.value)) != 1:
            raise ValueError("give exactly one of one, many, value")
        if self.many is None and (self.order is not None or self.page is not None):
            raise ValueError("order and page go with many")
        return self


class TableContract(Frozen):
    """What a tool may write in one table; `update` lists the columns."""

    insert: bool = False
    update: tuple[Name, ...] = ()
    delete: bool = False


class Tool(Frozen):
    """One tool. Read tools have no `do`. `roles` absent: any actor may call it. Without `returns` the result
    is `{"ok": true}`."""

    name: Name
    description: str
    kind: Literal["read", "write"]
    roles: tuple[Name, ...] | None = None
    params: dict[Name, Param | UseParam] = {}
    required: tuple[Name, ...] = ()
    steps: tuple[Step, ...] = ()
    returns: Returns | None = None
    contract: dict[Name, TableContract] = {}
    distractor: bool = False
    """Marked by the architect: no requirement needs this tool."""


class Shared(Frozen):
    """Named pieces that tools take with `use`."""

    params: dict[Name, Param] = {}
    steps: dict[Name, tuple[Step, ...]] = {}


class ToolsFile(Frozen):
    """The content of tools.yaml."""

    format: Literal[1] = 1
    tools: tuple[Tool, ...] = Field(min_length=1)
    shared: Shared = Shared()
