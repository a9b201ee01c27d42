"""Whether a planted fault shows at all: the same calls in the sound and in the planted world, compared."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ...environments.canonical import seed_from
from ...environments.models import ProbeCall
from ...environments.package import Environment
from ..tester.actors import actors_by_role
from ..tester.anatomy import Anatomy
from ..tester.fuzzing.arguments import Composer
from ..tester.fuzzing.material import Material
from ..tester.fuzzing.scene import Scene
from ..tester.fuzzing.steps import Step
from ..tester.ownership import admitted
from ..tester.stage import Outcome, Stage

_SEQUENCES, _TURNS = 60, 12
_CHANGED = 0.6
"""Share of calls that go to tools whose text changed."""


def difference(sound: Environment, planted: Environment, *, seed: int = 0) -> tuple[ProbeCall, ...]:
    """Calls whose last one answers otherwise, or changes other rows, in `planted` than in `sound`; empty if none was
    found in some hundreds of calls. Wording does not count. No gate and no critic is asked: worlds are compared.
    """
    search = _Search(sound, planted, seed)
    for _ in range(_SEQUENCES):
        steps = search.sequence()
        if steps:
            return tuple(step.probe_call() for step in steps)
    return ()


class _Search:
    def __init__(self, sound: Environment, planted: Environment, seed: int) -> None:
        self._sound, self._planted = sound, planted
        self._rng = random.Random(seed_from("difference", seed))
        self._anatomy = Anatomy(planted)
        self._material = Material(self._anatomy, seed)
        self._actors = actors_by_role(self._anatomy)
        self._changed = [name for name, plan in planted.plans.items() if plan.tool != sound.tools.get(name)]

    def sequence(self) -> list[Step]:
        """The calls up to the first difference; empty if the worlds stayed alike."""
        cast = [actor for actors in self._actors.values() for actor in self._rng.sample(actors, min(2, len(actors)))]
        steps: list[Step] = []
        with Stage(self._sound) as sound, Stage(self._planted) as planted:
            scene = Scene(self._anatomy, planted, cast, self._rng)
            composer = Composer(self._material, scene, planted.now, self._rng)
            for _ in range(_TURNS):
                tool = self._anatomy.tools[self._choose()]
                able = [actor for actor in cast if set(actor.roles) & set(admitted(self._anatomy.spec, tool))]
                if not able:
                    continue
                actor = self._rng.choice(able)
                args = composer.draw(tool, actor)
                steps.append(Step(tool.name, args, actor))
                one, other = sound.call(tool.name, args, actor), planted.call(tool.name, args, actor)
                if _seen(one) != _seen(other):
                    return steps
                if not other.result.ok:
                    steps.pop()
                scene.note(other.changes)
        return []

    def _choose(self) -> str:
        names: Sequence[str] = self._changed
        if not names or self._rng.random() > _CHANGED:
            names = tuple(self._anatomy.tools)
        return self._rng.choice(names)


def _seen(outcome: Outcome) -> Any:
    error = outcome.result.error
    return outcome.result.value if error is None else error.code, outcome.changes
