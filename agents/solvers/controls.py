"""Controls: solvers whose result is known. Gold must pass, doing nothing and doing anything must not."""

from __future__ import annotations

from datetime import datetime
from random import Random

from ...environments.canonical import seed_from
from ...environments.episode import Episode
from ...eval.base import SolverProfile
from .arguments import draw_arguments
from .seen import Seen


class NullSolver:
    """Says at once that it is done, and answers nothing."""

    profile = SolverProfile(name="null", kind="control", deterministic=True)

    async def solve(self, episode: Episode) -> None:
        episode.submit(status="done")


class RandomSolver:
    """Calls random tools with random valid arguments, then says that it is done."""

    def __init__(self, calls: int = 12, name: str = "random") -> None:
        self.calls = calls
        self._profile = SolverProfile(name=name, kind="control", settings={"calls": calls})

    @property
    def profile(self) -> SolverProfile:
        return self._profile

    async def solve(self, episode: Episode) -> None:
        rng = Random(seed_from("random", episode.seed))
        now = datetime.fromisoformat(episode.environment.spec.clock)
        seen = Seen()
        tools = [tool for tool in episode.tools if tool["name"] != "submit"]
        for _ in range(self.calls):
            tool = rng.choice(tools)
            result = episode.call(tool["name"], **draw_arguments(tool["inputSchema"], seen, now, rng))
            if result.ok:
                seen.add(result.value)
        submit = next(tool for tool in episode.tools if tool["name"] == "submit")
        arguments = draw_arguments(submit["inputSchema"], seen, now, rng)
        episode.submit(**{**arguments, "status": "done"})
