"""What a judge sees of a rollout, and what it says."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from ...environments.models import Frozen, RowChange, Trace
from ...environments.package import Environment

Ruling = Literal["met", "not_met", "cannot_tell"]


class Case(NamedTuple):
    """A rollout without its verdict. `environment` holds no tasks: neither verifier nor gold can be reached."""

    environment: Environment
    roles: tuple[str, ...]
    prompt: str
    """What the solver was shown: policy, who acts, the time, the instruction."""
    trace: Trace
    changes: tuple[RowChange, ...]
    """What changed in the end: a row that was changed back is not there."""


class Judgement(Frozen):
    """Whether the person got what was asked for, and nothing else was done. `step` is the number of the event in the
    trace, from 1, that decides it; None if none does."""

    ruling: Ruling
    reason: str
    step: int | None = None


class Judge(Protocol):
    name: str

    async def judge(self, case: Case) -> Judgement: ...
