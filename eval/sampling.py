"""Rollouts in index order until enough of them count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..environments.errors import InputError
from ..environments.models import Rollout, Task
from ..environments.package import Environment, task_version
from .base import Solver
from .rollouts import Purpose, roll_out

OnRollout = Callable[[Rollout], None]
"""Told each new rollout as it ends, in no particular order (to store it)."""

MOST_INFRA = 0.10
"""Above this share of infrastructure errors a task counts as unmeasured."""
MOST_ENVIRONMENT = 0.02
"""Above this share of environment errors a task is audited again."""


class Counts(NamedTuple):
    """`passes` of `n` rollouts that count; the others say nothing about the solver."""

    passes: int = 0
    n: int = 0
    environment_errors: int = 0
    infra_errors: int = 0

    @property
    def rollouts(self) -> int:
        return self.n + self.environment_errors + self.infra_errors

    @property
    def unmeasured(self) -> bool:
        return self.n == 0 or self.infra_errors > MOST_INFRA * self.rollouts

    @property
    def reaudit(self) -> bool:
        return self.environment_errors > MOST_ENVIRONMENT * self.rollouts


def count(rollouts: Iterable[Rollout]) -> Counts:
    outcomes = [rollout.verdict.outcome for rollout in rollouts]
    environment, infra = outcomes.count("environment_error"), outcomes.count("infra_error")
    return Counts(outcomes.count("completed"), len(outcomes) - environment - infra, environment, infra)


@dataclass
class Sampler:
    """Takes rollouts of one task by one solver for one purpose, in index order.

    Those in `done` are not run again. `rollouts` are those taken so far: always a run of indices from `first`.
    """

    environment: Environment
    task: Task
    solver: Solver
    purpose: Purpose
    seed: int
    done: Sequence[Rollout] = ()
    on_rollout: OnRollout | None = None
    concurrency: int = 6
    first: int = 0
    rollouts: list[Rollout] = field(default_factory=list)

    def __post_init__(self) -> None:
        version, profile = task_version(self.environment, self.task), self.solver.profile.hash
        for rollout in self.done:
            if (rollout.version, rollout.profile, rollout.purpose) != (version, profile, self.purpose):
                raise InputError(
                    f"Rollout {rollout.index} ({rollout.purpose}) of task {rollout.task!r} belongs to another task"
                    " version, solver profile or purpose.",
                    remedy="Give only rollouts of what is being measured.",
                )
        self._known = {rollout.index: rollout for rollout in self.done}

    @property
    def counts(self) -> Counts:
        return count(self.rollouts)

    async def collect(self, target: int, *, at_most: int) -> Counts:
        """Go on until `target` rollouts count, out of the `at_most` that may be asked for altogether.

        Stops early once errors make a measurement impossible, at the same index whatever the concurrency.
        """
        while (missing := target - self.counts.n) > 0 and not self._hopeless(at_most):
            start = self.first + len(self.rollouts)
            wave = range(start, start + min(missing, self.concurrency))
            for rollout in await self._wave(wave):
                if self._hopeless(at_most):
                    break
                self.rollouts.append(rollout)
        return self.counts

    def _hopeless(self, at_most: int) -> bool:
        """Whether even `at_most` rollouts without further errors would leave too large a share of errors."""
        counts = self.counts
        worst = max(counts.infra_errors, counts.environment_errors)
        return worst > MOST_INFRA * (worst + at_most)

    async def _wave(self, indices: Iterable[int]) -> list[Rollout]:
        found = await asyncio.gather(*map(self._take, indices), return_exceptions=True)
        for rollout in found:
            if isinstance(rollout, BaseException):
                raise rollout
        return [rollout for rollout in found if isinstance(rollout, Rollout)]

    async def _take(self, index: int) -> Rollout:
        if index in self._known:
            return self._known[index]
        rollout = await roll_out(
            self.environment, self.task, self.solver, index=index, purpose=self.purpose, seed=self.seed
        )
        if self.on_rollout is not None:
            self.on_rollout(rollout)
        return rollout
