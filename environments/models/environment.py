"""environment.yaml: who acts in a world, how its states compare, its rules, where it came from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from .frozen import Frozen

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
"""A table, column, parameter or tool name."""

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,95}$")]
"""An environment or task id."""

Datetime = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$")]
"""`YYYY-MM-DD HH:MM:SS` in the world's local time."""

Split = Literal["train", "held_out"]


class Role(Frozen):
    """A role, and the rows that can hold it: those of `table` for which `where` is true (absent: all)."""

    table: Name
    where: str | None = None


class ColumnClasses(Frozen):
    """How columns take part when two states are compared.

    `clock` and `code` hold `table.column` or `*.column` and are ignored; `log` holds whole tables that record
    what happened, ignored too; `order` maps `table.column` to the column that groups it, and is compared by
    rank within the group.
    """

    clock: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    order: dict[str, str] = {}


class Invariant(Frozen):
    """A query over the world that must always return no row."""

    name: str
    sql: str


class Surface(Frozen):
    """How tools look from outside; meaning does not change."""

    names: Literal["snake", "camel", "kebab", "noun_first"] = "snake"
    """Of tools, parameters and fields of results: `list_bookings`, `customer_id`; `listBookings`, `customerId`; and of
    tools alone `list-bookings`, or `bookings_list`."""
    ids: Literal["plain", "prefixed"] = "plain"
    """Numbers, or `BKN-00318` for row 318 of bookings, in all tables where that can be done with certainty."""
    results: Literal["flat", "wrapped", "nested"] = "flat"
    """Wrapped: `{"data": …, "meta": {…}}`. Nested: `customer_id`, `customer_name` become `customer: {id, name}`."""
    errors: Literal["plain", "coded", "problem"] = "plain"
    """`{"error": {"code": "conflict", "message": …}}`, with `CONFLICT` for a code, or a problem after RFC 9457."""
    pages: Literal["offset", "pages", "cursor"] = "offset"
    """`limit` and `offset`; `page` and `per_page`; or `limit` and an opaque `cursor`."""


class Lineage(Frozen):
    """What was derived from what, by which operator."""

    parents: tuple[str, ...] = ()
    operator: str | None = None
    generation: int = Field(default=0, ge=0)
    split: Split = "train"


class Provenance(Frozen):
    """Who made it, with which prompts, at what cost.

    `design` is how a procedural environment was composed (archetypes, variants, words): the procedural task
    writer and operators need it. It is no part of the environment's hash.
    """

    agents: dict[str, str] = {}
    prompts: dict[str, str] = {}
    cost_usd: float = 0.0
    tokens: int = 0
    design: dict[str, Any] = {}


class EnvironmentSpec(Frozen):
    """The content of environment.yaml."""

    format: Literal[1] = 1
    id: Slug
    scenario: str = Field(min_length=1)
    summary: str = ""
    category: str = ""
    roles: dict[Name, Role] = Field(min_length=1)
    clock: Datetime
    columns: ColumnClasses = ColumnClasses()
    glossary: dict[str, str] = {}
    """Words that instructions may use, as SQL conditions."""
    invariants: tuple[Invariant, ...] = ()
    policy: str = ""
    """Numbered rules that the solver is shown and must follow."""
    requirements: tuple[str, ...] = ()
    surface: Surface = Surface()
    lineage: Lineage = Lineage()
    provenance: Provenance = Provenance()
