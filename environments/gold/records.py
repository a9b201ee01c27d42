"""What an executed gold program came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..changes import ChangeSet
from ..models import CallResult, RowChange, Submission


class ExecutedCall(NamedTuple):
    """One call: which step of the program (from 0), which turn of an `each` (None without), what was sent with
    references resolved, what came back, and the rows it changed."""

    step: int
    turn: int | None
    call: str
    args: dict[str, Any]
    result: CallResult
    changes: tuple[RowChange, ...]


class ExecutedPick(NamedTuple):
    """One pick: which step, its name, what it chose, and how many rows it had to choose from, by table."""

    step: int
    name: str
    value: Any
    sources: Mapping[str, int]


class GoldFailure(NamedTuple):
    """The step (from 0) at which the program failed, and why."""

    step: int
    message: str


@dataclass(frozen=True)
class GoldRun:
    """A gold program after it ran, to its end or to where it failed.

    `picks` maps names to what was chosen (a row, or a list of rows); `submission` is None if the program did not
    get to its submit step. `changes`, `after` and `signature` describe the state it left (≈ under the task's free
    columns).
    """

    steps: tuple[ExecutedCall, ...]
    chosen: tuple[ExecutedPick, ...]
    submission: Submission | None
    changes: ChangeSet
    after: bytes
    signature: str
    failure: GoldFailure | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None

    @property
    def picks(self) -> dict[str, Any]:
        return {pick.name: pick.value for pick in self.chosen}

    @property
    def calls(self) -> int:
        return len(self.steps)
