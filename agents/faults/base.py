"""Faults: what an operator gives, and what was planted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ...environments.models import EnvironmentSpec
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


class Planted(NamedTuple):
    """An environment with one fault. Nothing in the environment itself says which."""

    environment: Environment
    kind: str
    where: str
    note: str
