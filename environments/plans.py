"""A tool made ready to run: checked statements in order, the checks of its references, its result.

Plans hold texts only and are shared by all worlds of an environment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from .arguments import Arguments
from .models.tools import ErrorCode
from .resolution import ResolvedTool
from .statements import Statement
from .values import SQLiteValue

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_LONGEST_VALUE = 200


@dataclass(frozen=True)
class Message:
    """An error message with bound names in braces."""

    text: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(_PLACEHOLDER.findall(self.text))

    def fill(self, bound: Mapping[str, SQLiteValue]) -> str:
        """The message with the names' values; NULL reads `none`, long texts are cut."""
        return _PLACEHOLDER.sub(lambda match: _shown(bound[match[1]]), self.text)


def _shown(value: SQLiteValue) -> str:
    if value is None:
        return "none"
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def applies(actor: Collection[str], admitted: Collection[str] | None, roles: Collection[str] | None) -> bool:
    """Whether a rule for `roles` (None: all) binds an actor: not one who also holds another role the tool admits."""
    if roles is None:
        return True
    return all(role in roles for role in actor if admitted is None or role in admitted)


@dataclass(frozen=True)
class ReferenceCheck:
    """That what a parameter points at exists, and belongs to the actor.

    `found` gives one row for each value that does not exist; `owned` one for each out of scope.
    """

    param: str
    table: str
    column: str
    found: Statement
    owned: Statement | None = None
    roles: tuple[str, ...] | None = None
    code: ErrorCode = "forbidden"


@dataclass(frozen=True)
class LookUp:
    """Binds the first row's values to `names`, NULL if there is no row."""

    names: tuple[str, ...]
    statement: Statement


@dataclass(frozen=True)
class Condition:
    """Ends the call with `code` unless the query's first value is true."""

    statement: Statement
    code: ErrorCode
    message: Message
    roles: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Change:
    """A write. `rows` is how many rows it must touch; `name` is bound to the first value it returns."""

    statement: Statement
    rows: int | None = None
    name: str | None = None


Step = LookUp | Condition | Change


@dataclass(frozen=True)
class Result:
    """How the result is read. `pages` maps each `sort` (None if there is no choice) to its query; `count` gives
    the total of a paged result."""

    kind: str
    columns: tuple[str, ...]
    pages: Mapping[str | None, Statement]
    count: Statement | None = None
    types: Mapping[int, str] = field(default_factory=dict)
    """Position → `json` or `boolean`."""
    after_write: bool = False
    """Then a missing row is the tool's fault, not the caller's."""


@dataclass(frozen=True)
class Plan:
    """A tool ready to run. `definition` is its MCP tool definition."""

    tool: ResolvedTool
    arguments: Arguments
    references: tuple[ReferenceCheck, ...]
    steps: tuple[Step, ...]
    result: Result | None

    @property
    def writes(self) -> bool:
        return self.tool.kind == "write"

    @property
    def definition(self) -> dict[str, Any]:
        return {
            "name": self.tool.name,
            "description": self.tool.description,
            "inputSchema": self.arguments.schema,
        }

    def admits(self, roles: Collection[str]) -> bool:
        """Whether an actor with these roles may call the tool."""
        return self.tool.roles is None or any(role in self.tool.roles for role in roles)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement that a call may run, in order."""
        checks = [s for check in self.references for s in (check.found, check.owned) if s]
        steps = [step.statement for step in self.steps]
        results = [*self.result.pages.values(), self.result.count] if self.result else []
        return (*checks, *steps, *(s for s in results if s))
