"""Samples in index order until enough of them count: a rollout each, or for a refusal one of it and one of its twin."""

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


Sample = tuple[Rollout, ...]
"""A rollout; of a refusal and its twin one of each, with the same index. It passes if all of it does."""


class Counts(NamedTuple):
    """`passes` of `n` samples that count; the others say nothing about the solver."""

    passes: int = 0
    n: int = 0
    environment_errors: int = 0
    infra_errors: int = 0

    @property
    def samples(self) -> int:
        return self.n + self.environment_errors + self.infra_errors

    @property
    def unmeasured(self) -> bool:
        return self.n == 0 or self.infra_errors > MOST_INFRA * self.samples

    @property
    def reaudit(self) -> bool:
        return self.environment_errors > MOST_ENVIRONMENT * self.samples


def count(samples: Iterable[Sample]) -> Counts:
    """A sample with an error in either half does not count; a provider's failure weighs before a world's."""
    passes = n = environment = infra = 0
    for sample in samples:
        outcomes = {rollout.verdict.outcome for rollout in sample}
        if "infra_error" in outcomes:
            infra += 1
        elif "environment_error" in outcomes:
            environment += 1
        else:
            n += 1
            passes += outcomes == {"completed"}
    return Counts(passes, n, environment, infra)


@dataclass
class Sampler:
    """Takes samples of one task, or of a refusal (`task`) and its `twin`, by one solver for one purpose, in index order.

    Rollouts in `done` are not run again. `samples` are those taken so far: always a run of indices from `first`.
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
    twin: Task | None = None
    samples: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        tasks = (self.task,) if self.twin is None else (self.task, self.twin)
        self._tasks = {task_version(self.environment, task): task for task in tasks}
        for rollout in self.done:
            of_these = rollout.version in self._tasks
            if not of_these or (rollout.profile, rollout.purpose) != (self.solver.profile.hash, self.purpose):
                raise InputError(
                    f"Rollout {rollout.index} ({rollout.purpose}) of task {rollout.task!r} belongs to another task"
                    " version, solver profile or purpose.",
                    remedy="Give only rollouts of what is being measured.",
                )
        self._known = {(rollout.version, rollout.index): rollout for rollout in self.done}

    @property
    def counts(self) -> Counts:
        return count(self.samples)

    @property
    def rollouts(self) -> tuple[Rollout, ...]:
        """Of all samples, in order."""
        return tuple(rollout for sample in self.samples for rollout in sample)

    async def collect(self, target: int, *, at_most: int) -> Counts:
        """Go on until `target` samples count, out of the `at_most` that may be asked for altogether.

        Stops early once errors make a measurement impossible, at the same index whatever the concurrency.
        """
        while (missing := target - self.counts.n) > 0 and not self._hopeless(at_most):
            start = self.first + len(self.samples)
            wave = range(start, start + min(missing, self.concurrency))
            for sample in await self._wave(wave):
                if self._hopeless(at_most):
                    break
                self.samples.append(sample)
        return self.counts

    def _hopeless(self, at_most: int) -> bool:
        """Whether even `at_most` samples without further errors would leave too large a share of errors."""
        counts = self.counts
        worst = max(counts.infra_errors, counts.environment_errors)
        return worst > MOST_INFRA * (worst + at_most)

    async def _wave(self, indices: Iterable[int]) -> list[Sample]:
        found = await asyncio.gather(*map(self._sample, indices), return_exceptions=True)
        for sample in found:
            if isinstance(sample, BaseException):
                raise sample
        return [sample for sample in found if isinstance(sample, tuple)]

    async def _sample(self, index: int) -> Sample:
        return tuple([await self._take(version, task, index) for version, task in self._tasks.items()])

    async def _take(self, version: str, task: Task, index: int) -> Rollout:
        if (version, index) in self._known:
            return self._known[version, index]
        rollout = await roll_out(
            self.environment, task, self.solver, index=index, purpose=self.purpose, seed=self.seed
        )
        if self.on_rollout is not None:
            self.on_rollout(rollout)
        return rollout
