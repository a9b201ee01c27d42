"""Fuzzing an environment: sequences of calls by several actors, with watchers looking at each.

Bounded in calls, not in time. Tools get their turn by how seldom a call of theirs has succeeded; calls that
succeeded are varied, also in later sequences; a call that a guard refused is drawn again a few times.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ....environments.canonical import seed_from
from ....environments.models import Actor
from ....environments.resolution import ResolvedTool
from ..actors import actors_by_role
from ..anatomy import Anatomy
from ..branches import Branches
from ..ownership import admitted
from ..stage import Outcome, Stage
from .aiming import Aim
from .arguments import Composer
from .material import Material
from .replay import watched_call
from .scene import Scene
from .steps import Step, rows_made
from .symptoms import Symptom
from .tally import Tally
from .themes import Theme, owners_of, related_rows, themes_of
from .watchers import watchers

_CORPUS = 8
_ATTEMPTS = 4
_WRITES, _READS, _HARDSHIP = 3.0, 1.0, 4
_SETTLED = 0.4
"""Share of the calls after which guards that have refused nothing are aimed at."""
_AIMS = 8
"""Sequences at whose end one guard is aimed at."""
_THEMED, _ON_THEME, _HEEDING = 0.6, 0.8, 0.4


class Effort(NamedTuple):
    """How much fuzzing: so many calls for each tool, at least and at most so many in all, in sequences of so many
    turns."""

    calls_per_tool: int = 80
    least: int = 600
    most: int = 4000
    turns: int = 15

    def calls(self, tools: int) -> int:
        return max(self.least, min(self.most, self.calls_per_tool * tools))


class Sighting(NamedTuple):
    """A symptom, and the calls that led to it."""

    symptom: Symptom
    steps: tuple[Step, ...]


class Campaign:
    """One run over an environment. `sightings` holds the first of each symptom."""

    def __init__(self, anatomy: Anatomy, *, seed: int, effort: Effort | None = None) -> None:
        self.anatomy = anatomy
        self.effort = effort or Effort()
        self._calls = self.effort.calls(len(anatomy.tools))
        self.tally = Tally(anatomy.tools)
        self.branches = Branches(anatomy)
        self.sightings: dict[tuple[str, str], Sighting] = {}
        self._rng = random.Random(seed_from("fuzz", seed))
        self._material = Material(anatomy, seed_from("values", seed))
        self._actors = actors_by_role(anatomy)
        self._everybody = [actor for actors in self._actors.values() for actor in actors]
        self._themes = themes_of(anatomy)
        self._admitted = {name: frozenset(admitted(anatomy.spec, tool)) for name, tool in anatomy.tools.items()}
        self._watchers = watchers(anatomy)
        self._aimed: Counter[tuple[str, int]] = Counter()
        self._corpus: dict[str, list[tuple[Actor, dict[str, Any]]]] = {}

    def run(self) -> None:
        """Make calls until the effort is spent; none if nobody may call anything."""
        acting = {role for role, actors in self._actors.items() if actors}
        playable = any(not roles.isdisjoint(acting) for roles in self._admitted.values())
        while playable and self.tally.calls < self._calls:
            self.tally.sequences += 1
            with Stage(self.anatomy.environment, seed=self.tally.sequences, branches=self.branches) as stage:
                self._sequence(stage)

    def _sequence(self, stage: Stage) -> None:
        theme = self._theme()
        rows = related_rows(self.anatomy, theme.tables, self._rng, 2) if theme is not None else {}
        cast = self._cast(rows)
        scene = Scene(self.anatomy, stage, cast, self._rng, rows)
        composer = Composer(self._material, scene, stage.now, self._rng)
        steps: list[Step] = []
        able = {name: self._able(cast, tool) for name, tool in self.anatomy.tools.items()}
        for _ in range(self.effort.turns):
            tool, actor = self._turn(able, theme)
            if tool is None or actor is None or not self._take(stage, scene, composer, tool, actor, steps):
                return
        if self.tally.calls > _SETTLED * self._calls:
            self._aim(stage, scene, steps)

    def _aim(self, stage: Stage, scene: Scene, steps: list[Step]) -> None:
        """One call at a guard that has refused nothing yet: of those tried least, and not too often."""
        waiting = [each for each in self.tally.waiting if self._corpus.get(each[0])]
        target = min(waiting, key=lambda each: self._aimed[each], default=None)
        if target is None or self._aimed[target] >= _AIMS:
            return
        self._aimed[target] += 1
        name, number = target
        tool, (_, base) = self.anatomy.tools[name], self._rng.choice(self._corpus[name])
        found = Aim(self._material, scene, stage, self._rng).at(tool, number, base, self._able(self._everybody, tool))
        if found is not None:
            self._call(stage, tool, *found, steps)

    def _theme(self) -> Theme | None:
        """Every other sequence or so is about an invariant, each in its turn."""
        if not self._themes or self._rng.random() > _THEMED:
            return None
        return self._themes[self.tally.sequences % len(self._themes)]

    def _cast(self, rows: Mapping[str, Sequence[Any]]) -> tuple[Actor, ...]:
        """The owners of the rows, and one or two actors of each role that owns none, in an order of chance."""
        chosen = list(dict.fromkeys(owners_of(self.anatomy, rows)))
        missing = [role for role in self._actors if not any(role in actor.roles for actor in chosen)]
        for role in missing:
            actors = self._actors[role]
            chosen += self._rng.sample(actors, min(len(actors), self._rng.choice((1, 1, 2))))
        self._rng.shuffle(chosen)
        return tuple(chosen)

    def _turn(
        self, able: Mapping[str, Sequence[Actor]], theme: Theme | None
    ) -> tuple[ResolvedTool | None, Actor | None]:
        """A tool, and an actor that may call it, of those that are `able`."""
        tools = [tool for name, tool in self.anatomy.tools.items() if able[name]]
        themed = [tool for tool in tools if theme is not None and tool.name in theme.tools]
        if themed and self._rng.random() < _ON_THEME:
            tools = themed
        if not tools:
            return None, None
        tool = self._rng.choices(tools, [self._weight(tool) for tool in tools])[0]
        return tool, self._rng.choice(able[tool.name])

    def _able(self, cast: Sequence[Actor], tool: ResolvedTool) -> list[Actor]:
        return [actor for actor in cast if not self._admitted[tool.name].isdisjoint(actor.roles)]

    def _weight(self, tool: ResolvedTool) -> float:
        """Tools that seldom got through come first, but not at the cost of all others."""
        tried = 1 + self.tally.succeeded(tool.name) + self.tally.called(tool.name) / _HARDSHIP
        return (_WRITES if tool.kind == "write" else _READS) / math.sqrt(tried)

    def _take(
        self, stage: Stage, scene: Scene, composer: Composer, tool: ResolvedTool, actor: Actor, steps: list[Step]
    ) -> bool:
        """Call the tool, again with other arguments while guards refuse; False ends the sequence."""
        refused: dict[str, Any] | None = None
        for _ in range(_ATTEMPTS):
            if refused is not None and self._rng.random() < _HEEDING:
                args = composer.heed(tool, refused)
            else:
                actor, args = self._arguments(composer, tool, actor)
            outcome, symptoms = self._call(stage, tool, actor, args, steps)
            if any(symptom.severity == "blocker" for symptom in symptoms):
                return False
            if outcome.result.ok:
                scene.used(args)
                scene.note(outcome.changes)
                self._keep(tool.name, actor, args)
                return True
            steps.pop()
            refused = args
            scene.told(outcome.result.error.message if outcome.result.error is not None else "")
            if self.tally.calls >= self._calls:
                return False
        return True

    def _call(
        self, stage: Stage, tool: ResolvedTool, actor: Actor, args: dict[str, Any], steps: list[Step]
    ) -> tuple[Outcome, Sequence[Symptom]]:
        """One watched call, behind the steps that led to it."""
        outcome, symptoms = watched_call(stage, Step(tool.name, args, actor), self._watchers)
        self.tally.count(tool.name, args, outcome)
        steps.append(Step(tool.name, args, actor, rows_made(outcome.changes)))
        self._report(symptoms, steps)
        return outcome, symptoms

    def _arguments(self, composer: Composer, tool: ResolvedTool, actor: Actor) -> tuple[Actor, dict[str, Any]]:
        kept = self._corpus.get(tool.name)
        if kept and self._rng.random() < 0.3:
            actor, args = self._rng.choice(kept)
            return actor, composer.vary(tool, actor, args)
        return actor, composer.draw(tool, actor)

    def _report(self, symptoms: Sequence[Symptom], steps: Sequence[Step]) -> None:
        for symptom in symptoms:
            known = self.sightings.get(symptom.key)
            if known is None or len(steps) < len(known.steps):
                self.sightings[symptom.key] = Sighting(symptom, tuple(steps))

    def _keep(self, tool: str, actor: Actor, args: dict[str, Any]) -> None:
        kept = self._corpus.setdefault(tool, [])
        if len(kept) < _CORPUS:
            kept.append((actor, args))
        else:
            kept[self._rng.randrange(_CORPUS)] = (actor, args)
