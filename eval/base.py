"""What evaluation asks of a solver."""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

from ..environments.canonical import sha256
from ..environments.episode import Episode
from ..environments.models import Frozen


class SolverProfile(Frozen):
    """What a measurement belongs to: change any setting and it is another solver.

    `name` is what the user typed (`slip:0.6`, `openai:gpt-5`); `settings` holds what changes behaviour
    (model, sampling, limits, prompt hash). `deterministic` solvers get one rollout and no band decision.
    """

    name: str
    kind: Literal["control", "simulated", "model", "custom"]
    settings: dict[str, Any] = {}
    deterministic: bool = False

    @property
    def hash(self) -> str:
        return sha256(self)[:16]


@runtime_checkable
class Solver(Protocol):
    """Attempts a task in an open episode: reads `episode.prompt()` and `episode.tools`, calls, submits.

    Random choices come from `episode.seed` alone. Returning without `submit` counts as `done` with no answer.
    Raise `eval.errors.InfraError` when the provider failed, so that the rollout is run again.
    """

    @property
    def profile(self) -> SolverProfile: ...

    async def solve(self, episode: Episode) -> None: ...
