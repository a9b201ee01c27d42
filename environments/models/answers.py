"""What a task wants to be told, and how it is matched: by kind, never by wording."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from .frozen import Frozen

ScalarKind = Literal["text", "number", "date", "choice"]


class Answer(Frozen):
    """The expected answer. Exactly one of `value` and `sql` (over before.*, after.*, inserted.*, deleted.*).

    | kind   | expected                                      | fields used              |
    |--------|-----------------------------------------------|--------------------------|
    | none   | nothing is asked                              |                          |
    | text   | a string; case, accents and spaces folded     | accept                   |
    | number | within `tolerance`; separators, currency ok   | tolerance                |
    | date   | any unambiguous form                          |                          |
    | choice | one of `options`                              | options                  |
    | list   | items in order                                | of                       |
    | set    | items without order or repeats                | of                       |
    | object | one value a field                             | fields                   |
    | rows   | objects found by `key`, compared by `columns` | key, columns             |
    """

    kind: Literal["none", "text", "number", "date", "choice", "list", "set", "object", "rows"] = "none"
    value: Any = None
    sql: str | None = None
    describe: str = ""
    """Shown to the solver in submit's schema: what to give, in which unit; never the answer."""
    accept: tuple[str, ...] = ()
    """Other texts that are right."""
    tolerance: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    options: tuple[str, ...] = ()
    of: ScalarKind = "text"
    fields: dict[str, ScalarKind] = {}
    key: tuple[str, ...] = ()
    columns: dict[str, ScalarKind] = {}

    @model_validator(mode="after")
    def _complete(self) -> Answer:
        if self.kind == "none":
            if self.value is not None or self.sql is not None:
                raise ValueError("kind none has neither value nor sql")
            return self
        if (self.value is None) == (self.sql is None):
            raise ValueError("give exactly one of value and sql")
        needed = {"choice": "options", "object": "fields", "rows": "columns"}.get(self.kind)
        if needed and not getattr(self, needed):
            raise ValueError(f"kind {self.kind} needs {needed}")
        if self.kind == "rows" and not set(self.key) <= set(self.columns):
            raise ValueError("key must name columns")
        return self
