"""Faults: what an operator gives, and what was planted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ...environments.models import EnvironmentSpec, Task
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.anatomy import Anatomy


class Change(NamedTuple):
    """One way to plant a fault: the changed tool (or environment.yaml), its place, and what was done, for people."""

    where: str
    note: str
    tool: ResolvedTool | None = None
    spec: EnvironmentSpec | None = None


class Operator(Protocol):
    """One class of faults. `kind` names it; `sites` lists every place of an environment where it applies."""

    @property
    def kind(self) -> str: ...

    def sites(self, anatomy: Anatomy) -> Iterator[Change]: ...


class TaskChange(NamedTuple):
    """One way to plant a fault in a task: the changed task, or the changed seed that it speaks of (or both).

    `derived`: gold was changed, so that the verifier is to be written anew from its run.
    """

    where: str
    note: str
    task: Task
    seed_sql: str | None = None
    derived: bool = False


class TaskOperator(Protocol):
    """One class of faults in tasks; `sites` lists every way in which `task` can be spoilt."""

    @property
    def kind(self) -> str: ...

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]: ...


class DecoyChange(NamedTuple):
    """A legitimate change: what differs from the environment it is made in. `tasks` are its tasks, where they had to
    follow."""

    where: str
    note: str
    tool: ResolvedTool | None = None
    added: ResolvedTool | None = None
    spec: EnvironmentSpec | None = None
    schema_sql: str | None = None
    tasks: tuple[Task, ...] | None = None


class DecoyOperator(Protocol):
    """One kind of legitimate changes."""

    @property
    def kind(self) -> str: ...

    def sites(self, environment: Environment) -> Iterator[DecoyChange]: ...


class Planted(NamedTuple):
    """An environment with one fault (or one legitimate change). Nothing in the environment itself says which.

    `task` is the id of the task concerned, for faults of tasks; `derived`: its verifier is to be written anew.
    """

    environment: Environment
    kind: str
    where: str
    note: str
    task: str | None = None
    derived: bool = False
