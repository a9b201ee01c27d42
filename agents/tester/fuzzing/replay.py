"""Making calls again in a fresh world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ....environments.package import Environment
from ..stage import Outcome, Stage
from .parameters import params_of
from .steps import Key, Step, matched, renamed, rows_made
from .symptoms import Symptom, Watcher


class Played(NamedTuple):
    """The calls as they were made this time, and what was wrong after the last."""

    steps: tuple[Step, ...]
    symptoms: tuple[Symptom, ...]


def watched_call(stage: Stage, step: Step, watching: Sequence[Watcher]) -> tuple[Outcome, tuple[Symptom, ...]]:
    """Make one call, with watchers looking on."""
    for watcher in watching:
        watcher.before(stage, step)
    outcome = stage.call(step.tool, step.args, step.actor)
    return outcome, tuple(symptom for watcher in watching for symptom in watcher.after(stage, step, outcome))


class Replay:
    """Plays sequences of calls, each in a world of its own. `make` gives a fresh set of watchers."""

    def __init__(self, environment: Environment, make: Callable[[], Sequence[Watcher]]) -> None:
        self._environment = environment
        self._make = make

    def run(self, steps: Sequence[Step]) -> Played:
        """Make the calls. Ids of rows that earlier calls made are exchanged for the ids of this time."""
        watching = self._make()
        ids: dict[Key, Any] = {}
        played: list[Step] = []
        symptoms: tuple[Symptom, ...] = ()
        with Stage(self._environment) as stage:
            for index, step in enumerate(steps):
                tool = self._environment.tools.get(step.tool)
                args = renamed(step.args, params_of(tool) if tool else {}, ids)
                current = Step(step.tool, args, step.actor)
                last = index == len(steps) - 1
                if last:
                    outcome, symptoms = watched_call(stage, current, watching)
                else:
                    outcome = stage.call(step.tool, args, step.actor)
                made = rows_made(outcome.changes)
                ids.update(matched(step.made, made))
                played.append(Step(step.tool, args, step.actor, made))
        return Played(tuple(played), symptoms)
