"""Looking for a call that gets through: of a given tool, by a given actor, with some arguments fixed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...environments.canonical import seed_from
from ...environments.models import Actor
from ...environments.resolution import ResolvedTool
from .actors import actors_by_role
from .anatomy import Anatomy
from .fuzzing.arguments import Composer
from .fuzzing.material import Material
from .fuzzing.scene import Scene
from .fuzzing.steps import Step
from .ownership import admitted
from .stage import Outcome, Stage

_TRIES = 80


class Trial(NamedTuple):
    """A call in a fresh world and what came of it."""

    step: Step
    outcome: Outcome


class Trials:
    """Trial calls over one environment, each series in a world that the first success changes and ends."""

    def __init__(self, anatomy: Anatomy, seed: int = 0) -> None:
        self.anatomy = anatomy
        self.actors = actors_by_role(anatomy)
        self._seed = seed
        self._material = Material(anatomy, seed_from("values", seed))

    def through(
        self,
        tool: ResolvedTool,
        *,
        actor: Actor | None = None,
        fixed: Mapping[str, Any] | None = None,
        without: frozenset[str] = frozenset(),
        accept: Callable[[Outcome], bool] = lambda outcome: True,
        tries: int = _TRIES,
    ) -> Trial | None:
        """The first successful call that `accept` takes, within `tries` calls that are valid but for chance. `fixed`
        arguments are given as they are, those of `without` never. None if none got through."""
        by = actor.id if actor is not None else None
        rng = random.Random(seed_from("trial", self._seed, tool.name, by, sorted(fixed or {})))
        cast = [actor] if actor is not None else self._able(tool)
        if not cast:
            return None
        for _ in range(-(-tries // 8)):
            with Stage(self.anatomy.environment) as stage:
                acting = rng.choice(cast)
                composer = Composer(self._material, Scene(self.anatomy, stage, [acting], rng), stage.now, rng)
                for _ in range(8):
                    drawn = composer.draw(tool, acting, spoil=False)
                    args = {name: value for name, value in drawn.items() if name not in without} | dict(fixed or {})
                    outcome = stage.call(tool.name, args, acting)
                    if outcome.result.ok:
                        if accept(outcome):
                            return Trial(Step(tool.name, args, acting), outcome)
                        break
        return None

    def _able(self, tool: ResolvedTool) -> list[Actor]:
        return [actor for role in admitted(self.anatomy.spec, tool) for actor in self.actors[role]]
