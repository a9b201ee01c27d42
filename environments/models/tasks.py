"""tasks/<id>.yaml: instruction, gold, grounding, verifier, lineage."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from .answers import Answer
from .environment import Name, Slug, Split
from .frozen import Frozen

SubmitStatus = Literal["done", "refused", "impossible"]


def _fits(value: int | float | str | None) -> int | float | str | None:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("no column holds so large a number")
    return value


Cell = Annotated[int | Annotated[float, Field(allow_inf_nan=False)] | str | None, AfterValidator(_fits)]
"""What a column can hold, blobs aside."""


class Actor(Frozen):
    """Who acts: the roles held and the id of the row that holds them (all roles of an actor share one table)."""

    roles: tuple[Name, ...] = Field(min_length=1)
    id: int


class Goal(Frozen):
    """Written before gold ran and independent of it. `sql` over before.* and after.* is true when the
    instruction is met; None for a task that only asks a question."""

    text: str
    sql: str | None = None


class Grounding(Frozen):
    """What a referring phrase of the instruction resolves to.

    `one`: exactly one row; `set`: at least one; `first`: strictly before the second row by `order`, whose
    columns the query returns; `created`: made in the episode and named by the verifier's `bind` key `bind`.
    The first column is the id, `table` its table (for the reachability check).
    """

    expect: Literal["one", "set", "first", "created"]
    sql: str | None = None
    table: Name | None = None
    order: str | None = None
    bind: Name | None = None


class CallStep(Frozen):
    """Call a tool. Argument strings that start with `$` are references (`$found.id`, `$it`); `$$` escapes.
    With `each: $list` the call is repeated, `$it` being the item."""

    call: Name
    args: dict[str, Any] = {}
    as_: Name | None = Field(default=None, alias="as")
    each: str | None = None


class PickStep(Frozen):
    """Choose from what was seen: SQL over earlier results (`FROM $found`). One row, or with `many` a list."""

    pick: Name
    sql: str
    many: bool = False


class Submission(Frozen):
    """What the solver hands in. `reason` is the number of a policy rule."""

    status: SubmitStatus = "done"
    reason: int | None = None
    answer: Any = None


class SubmitStep(Frozen):
    """The last step of gold, always. `answer` may be a reference."""

    submit: Submission


def _gold_kind(value: Any) -> str | None:
    keys = value if isinstance(value, dict) else value.model_fields_set
    return next((kind for kind in ("call", "pick", "submit") if kind in keys), None)


GoldStep = Annotated[
    Annotated[CallStep, Tag("call")] | Annotated[PickStep, Tag("pick")] | Annotated[SubmitStep, Tag("submit")],
    Discriminator(
        _gold_kind,
        custom_error_type="unknown_gold_step",
        custom_error_message="a gold step is one of call, pick, submit",
    ),
]


class Check(Frozen):
    """A named condition of the verifier; `sql`'s first value must be true."""

    name: str
    sql: str


class RowLimit(Frozen):
    """At most `max` rows, each satisfying `where` (absent: any)."""

    max: int = Field(ge=1)
    where: str | None = None


class Allow(Frozen):
    """What may change: `key` + `columns` (updates of the row with that key), `insert`, or `delete`."""

    table: Name
    key: dict[Name, Cell] | None = Field(default=None, min_length=1)
    columns: tuple[Name, ...] = ()
    insert: RowLimit | None = None
    delete: RowLimit | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Allow:
        if sum(part is not None for part in (self.key, self.insert, self.delete)) != 1:
            raise ValueError("give exactly one of key (with columns), insert, delete")
        if (self.key is not None) != bool(self.columns):
            raise ValueError("key and columns go together")
        return self


class ExpectedSubmission(Frozen):
    """What must be handed in. For refusals `reason` is the policy rule, `options` the rules to choose from."""

    status: SubmitStatus = "done"
    reason: int | None = None
    options: tuple[int, ...] = ()


class Verifier(Frozen):
    """Decides a rollout from the seed state, the end state, the changes and the submission."""

    bind: dict[Name, str] = Field(default={}, max_length=100)
    """Names for rows made in the episode; each query returns exactly one row's key."""
    require: tuple[Check, ...] = Field(default=(), max_length=200)
    allow: tuple[Allow, ...] = Field(default=(), max_length=1_000)
    free: dict[Name, tuple[Name, ...]] = {}
    submit: ExpectedSubmission = ExpectedSubmission()
    answer: Answer = Answer()
    frozen: str | None = None
    """`sha256:…` of the verifier, set when the audit passed."""


class TaskLineage(Frozen):
    parent: str | None = None
    operator: str | None = None
    generation: int = Field(default=0, ge=0)
    split: Split = "train"


class Task(Frozen):
    """The content of a task file."""

    format: Literal[1] = 1
    id: Slug
    instruction: str = Field(min_length=1)
    actor: Actor
    setup: tuple[str, ...] = ()
    """SQL applied when an episode opens, before the seed state is taken: data of this task only."""
    goal: Goal
    grounding: dict[str, Grounding] = Field(default={}, max_length=100)
    gold: tuple[GoldStep, ...] = Field(default=(), max_length=500)
    verifier: Verifier = Verifier()
    faults: tuple[dict[str, Any], ...] = ()
    user: dict[str, Any] | None = None
    twin: str | None = None
    lineage: TaskLineage = TaskLineage()
    plan: dict[str, Any] = {}
    """How the task was composed, for the operators that change it; no part of the version."""

    @model_validator(mode="after")
    def _submit_last(self) -> Task:
        kinds = [isinstance(step, SubmitStep) for step in self.gold]
        if self.gold and (sum(kinds) != 1 or not kinds[-1]):
            raise ValueError("gold ends with its only submit step")
        return self
