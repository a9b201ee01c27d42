"""The control that executes the gold solution: what a task's verifier must pass."""

from __future__ import annotations

from ...environments.episode import Episode
from ...environments.errors import InputError
from ...environments.gold import run_gold
from ...eval.base import SolverProfile


class GoldSolver:
    """Executes gold, step by step, and submits what it submits."""

    profile = SolverProfile(name="gold", kind="control", deterministic=True)

    async def solve(self, episode: Episode) -> None:
        if episode.task is None or not episode.task.gold:
            raise InputError("there is no gold solution to follow", remedy="Name a task that has one.")
        run_gold(episode.environment, episode.task, episode=episode)
