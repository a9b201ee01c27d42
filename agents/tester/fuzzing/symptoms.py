"""What can be seen to be wrong after a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from ....environments.models import Expectation
from ....environments.models.findings import Severity
from ..stage import Outcome, Stage
from .steps import Step


@dataclass(frozen=True)
class Symptom:
    """Something wrong, seen right after a call. `expect` is what a sound environment would have shown."""

    kind: str
    severity: Severity
    where: str
    message: str
    expect: Expectation
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.where


class Watcher(Protocol):
    """Looks at a call and at the world after it."""

    def before(self, stage: Stage, step: Step) -> None:
        """Called before each call."""
        ...

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]: ...
