"""What a composed environment offers to tasks: workflows, and ways to refer to rows. Plain data, rendered.

Text holds placeholders (`{booking}`, `{amount:money}`); SQL has bound names (`:actor_id`, `:now`, `:today`, slots,
choices). Nothing here draws, runs or words anything.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from ....environments.models import Answer, Frozen

Kind = Literal["change", "question", "refusal"]
Tone = Literal["plain", "chatty", "terse"]
Step = dict[str, Any]
"""A gold step as written in the archetype: `call`, `pick` or `find`."""


class Use(Frozen):
    """A row that a referring phrase speaks of by a phrase of its own: `{person}` in "{person}'s booking"."""

    table: str
    sql: str


class Refer(Frozen):
    """One way to point at a row without its id.

    `indirect`: 0 by name or number, 1 described, 2 worked out over rows. `values` gives what the phrase, `sql` and
    `find` name, for the row `:id`; `sql` is the grounding; `find` looks the row up and ends in a pick with `id`.
    """

    phrase: str
    sql: str
    indirect: int = Field(default=0, ge=0, le=2)
    actors: tuple[str, ...] | None = None
    expect: Literal["one", "first", "many"] = "one"
    order: str | None = None
    values: str | None = None
    uses: dict[str, Use] = {}
    find: tuple[Step, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Refer:
        if (self.expect == "first") != (self.order is not None):
            raise ValueError("order goes with expect: first")
        if "pick" not in self.find[-1]:
            raise ValueError("find ends in a pick")
        return self


class Target(Frozen):
    """Candidate rows of a slot: `sql` gives their ids; `by` replaces it for actors of a role key."""

    sql: str = ""
    table: str | None = None
    by: dict[str, str] = {}

    @model_validator(mode="after")
    def _some_query(self) -> Target:
        if not self.sql and not self.by:
            raise ValueError("give sql, or by")
        return self

    def query(self, role: str) -> str | None:
        """The candidates for an actor of role key `role`; None if that role has none."""
        return self.by.get(role, self.sql) or None


class Choice(Frozen):
    """A value that the request names. Exactly one source; `optional` ones are left out unless constrained, and
    bring their own clause `add`."""

    one_of: tuple[Any, ...] | None = None
    sql: str | None = None
    int_: tuple[int, int] | None = Field(default=None, alias="int")
    money: tuple[int, int] | None = None
    step: int = 1
    date: tuple[int, int] | None = None
    """Days from today."""
    pattern: str | None = None
    """`#` is a digit, `@` a capital letter."""
    not_in: str | None = None
    """Values that must not be drawn."""
    optional: bool = False
    add: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Choice:
        sources = (self.one_of, self.sql, self.int_, self.money, self.date, self.pattern)
        if sum(source is not None for source in sources) != 1:
            raise ValueError("give exactly one of one_of, sql, int, money, date, pattern")
        if self.optional != (self.add is not None):
            raise ValueError("optional goes with add")
        return self


class Say(Frozen):
    """One wording: a clause in the imperative ("move {booking} to {what}"), or whole sentences."""

    text: str
    tone: Tone | None = None

    @property
    def sentences(self) -> bool:
        return self.text.rstrip().rstrip('"').endswith((".", "?", "!")) or self.text[:1].isupper()


class Created(Frozen):
    """A row made by a workflow: `ref` into a call's result, `sql` that finds it in `inserted.*`."""

    ref: str
    sql: str
    table: str | None = None


class Follow(Frozen):
    """A workflow that may come next, on rows of this one: its slot → this one's slot or created row."""

    workflow: str
    rows: dict[str, str]
    join: str = "then"


class GoalTemplate(Frozen):
    """The goal with placeholders; `sql` over before.*, after.*, inserted.*, deleted.*."""

    text: str
    sql: str | None = None


class Workflow(Frozen):
    """Something a person wants done, or wants to know."""

    key: str
    kind: Kind = "change"
    about: str = ""
    actors: tuple[str, ...] = Field(min_length=1)
    tables: dict[str, str] = {}
    """Slot or entity name → table."""
    targets: dict[str, Target] = {}
    choose: dict[str, Choice] = {}
    needs: str | None = None
    """SQL that must be true of the rows and values drawn: no ties, something to count."""
    ways: dict[str, tuple[Refer, ...]] = {}
    gold: tuple[Step, ...] = ()
    creates: dict[str, Created] = {}
    goal: GoalTemplate | None = None
    free: dict[str, tuple[str, ...]] = {}
    say: tuple[Say, ...] = Field(min_length=1)
    why: tuple[str, ...] = ()
    next: tuple[Follow, ...] = ()
    ends: bool = False
    """Whether it ends the use of its row: nobody asks for it after another change of that row, nor for one after it."""
    not_after: tuple[str, ...] = ()
    """Workflows after which, on the same row, it would be taking back or doing again."""
    answer: Answer | None = None
    rule: int | None = None
    """Refusals: the number of the policy rule that forbids it."""
    of: str | None = None
    """Refusals: the workflow whose request it is."""

    @field_validator("targets", mode="before")
    @classmethod
    def _short_targets(cls, value: Any) -> Any:
        return {slot: {"sql": query} if isinstance(query, str) else query for slot, query in value.items()}

    @field_validator("say", mode="before")
    @classmethod
    def _short_say(cls, value: Any) -> Any:
        return [{"text": say} if isinstance(say, str) else say for say in value]

    @model_validator(mode="after")
    def _complete(self) -> Workflow:
        if (self.kind == "question") != (self.answer is not None):
            raise ValueError("questions have an answer, and only they")
        if self.kind == "change" and (self.goal is None or self.goal.sql is None):
            raise ValueError("a change has a goal with sql")
        if (self.kind == "refusal") != (self.rule is not None):
            raise ValueError("refusals have a rule, and only they")
        return self

    @property
    def stem(self) -> str:
        """The archetype or link that it comes from."""
        return self.key.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.key.rpartition(".")[2]

    @property
    def slots(self) -> tuple[str, ...]:
        """Slots that a row fills: those with candidates, and those that only ways of the workflow lead to."""
        return (*self.targets, *(slot for slot in self.ways if slot not in self.targets))

    def table(self, slot: str) -> str:
        """The table of a slot's rows. Raises KeyError if nothing says it."""
        target = self.targets.get(slot)
        created = self.creates.get(slot)
        named = (target and target.table) or (created and created.table)
        return named or self.tables[slot]
