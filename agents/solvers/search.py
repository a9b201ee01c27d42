"""A simulated solver that searches: it tries calls in clones of its world, then makes those that pass.

Privileged: it reads the verifier, not gold. Its strength is its budget of calls in clones; what it does in its own
episode is the best program that it found there. Its rates say nothing about models.
"""

from __future__ import annotations

from ...environments.episode import Episode
from ...environments.errors import InputError
from ...environments.models import CallResult
from ...eval.base import SolverProfile
from ...eval.search import search

JITTER = 2.0
"""How much chance changes what is tried first, in bits: rollouts differ."""
_AGAIN = 3
"""A call that an injected fault failed is made again so often."""


class SearchSolver:
    """`budget`: tool calls in clones before it acts."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._profile = SolverProfile(
            name=f"search:{budget}",
            kind="simulated",
            settings={"budget": budget, "jitter": JITTER, "privileged": "reads the verifier"},
        )

    @property
    def profile(self) -> SolverProfile:
        return self._profile

    async def solve(self, episode: Episode) -> None:
        if episode.task is None:
            raise InputError("search looks for what a verifier passes, and there is none", remedy="Name a task.")
        best = search(
            episode.environment,
            episode.task,
            budget=self.budget,
            seed=episode.seed,
            world_seed=episode.seed,
            jitter=JITTER,
        ).best
        for call in best.calls:
            _made(episode, call.tool, call.args)
        handed_in = best.submission
        episode.submit(status=handed_in.status, reason=handed_in.reason, answer=handed_in.answer)


def _made(episode: Episode, tool: str, args: dict[str, object]) -> CallResult:
    result = episode.call_canonical(tool, **args)
    for _ in range(_AGAIN):
        if result.ok:
            break
        result = episode.call_canonical(tool, **args)
    return result
