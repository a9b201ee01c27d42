"""Whether a planted fault shows at all: the same calls in the sound and in the planted world, compared.

Independent of the tester: calls are those of the tasks' solutions and their variants, and what the seed rows and
their bounds give as arguments (`values.py`). No gate, no critic and no fuzzer has a part in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...environments.canonical import seed_from
from ...environments.gold import run_gold
from ...environments.models import Actor, ProbeCall, Task
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.actors import actors_by_role
from ..tester.anatomy import Anatomy
from ..tester.stage import Outcome, Stage
from .values import Values

_SEQUENCES, _TURNS = 60, 40
_PRELUDE = 0.3
"""Share of calls to other tools that write: they lead to states that the seed does not have."""
_GIVEN = 0.6
"""Share of optional parameters that are given."""
_PAGED = 0.25
"""Share of lists that are asked for sorted, or in pieces."""
_KNOWN = 0.5
"""Share of calls that vary arguments that worked before, in one place."""


def difference(
    sound: Environment, planted: Environment, *, seed: int = 0, tasks: Iterable[Task] = ()
) -> tuple[ProbeCall, ...]:
    """Calls whose last one answers otherwise, or changes other rows, in `planted` than in `sound`; empty if none was
    found in some thousands of calls. Wording does not count. `tasks` are the sound environment's, whose solutions are
    tried first.
    """
    changed = [name for name, plan in planted.plans.items() if plan.tool != sound.tools.get(name)]
    if not changed:
        return ()
    programs = [calls for task in tasks if not task.setup and (calls := _calls(sound, task))]
    for calls in programs:
        found = _compared(sound, planted, calls)
        if found:
            return found
    search = _Search(sound, planted, changed, programs, seed)
    return next((found for number in range(_SEQUENCES) if (found := search.sequence(number))), ())


def _calls(environment: Environment, task: Task) -> list[ProbeCall]:
    """The calls of a task's solution, as they were executed."""
    run = run_gold(environment, task)
    return [
        ProbeCall(call=step.call, args=step.args, actor=task.actor)
        for step in run.steps
        if step.call in environment.tools
    ]


def _compared(sound: Environment, planted: Environment, calls: Sequence[ProbeCall]) -> tuple[ProbeCall, ...]:
    """The calls up to the first that differs."""
    with Stage(sound) as one, Stage(planted) as other:
        for number, call in enumerate(calls):
            if _differs(one, other, call):
                return tuple(calls[: number + 1])
    return ()


def _differs(one: Stage, other: Stage, call: ProbeCall) -> bool:
    return bool(_seen(one.call(*_parts(call))) != _seen(other.call(*_parts(call))))


def _seen(outcome: Outcome) -> Any:
    error = outcome.result.error
    return outcome.result.value if error is None else error.code, outcome.changes


class _Search:
    """Sequences in two worlds side by side: mostly calls of the changed tools."""

    def __init__(
        self,
        sound: Environment,
        planted: Environment,
        changed: Sequence[str],
        programs: Sequence[Sequence[ProbeCall]],
        seed: int,
    ) -> None:
        self._sound, self._planted = sound, planted
        self._changed = changed
        self._programs = programs
        self._rng = random.Random(seed_from("difference", seed))
        self._values = Values(sound)
        self._actors = [actor for actors in actors_by_role(Anatomy(sound)).values() for actor in actors]
        self._others = [name for name, plan in sound.plans.items() if plan.writes and name not in changed]
        self._worked: dict[str, list[dict[str, Any]]] = {}
        for call in (call for calls in programs for call in calls):
            self._worked.setdefault(call.call, []).append(call.args)

    def sequence(self, number: int) -> tuple[ProbeCall, ...]:
        """The calls that worked and the one that differs; empty if the worlds stayed alike."""
        kept: list[ProbeCall] = []
        with Stage(self._sound) as one, Stage(self._planted) as other:
            for call in (*self._start(number), *self._turns()):
                left, right = one.call(*_parts(call)), other.call(*_parts(call))
                if _seen(left) != _seen(right):
                    return (*kept, call)
                if left.result.ok:
                    self._worked.setdefault(call.call, []).append(dict(call.args))
                if left.changes:
                    kept.append(call)
        return ()

    def _start(self, number: int) -> Sequence[ProbeCall]:
        """In every other sequence, some of a task's solution."""
        if not self._programs or number % 2:
            return ()
        calls = self._programs[number // 2 % len(self._programs)]
        return calls[: self._rng.randint(1, len(calls))]

    def _turns(self) -> Iterator[ProbeCall]:
        for _ in range(_TURNS):
            other = self._others and self._rng.random() < _PRELUDE
            name = self._rng.choice(self._others if other else self._changed)
            able = [actor for actor in self._actors if self._sound.plans[name].admits(actor.roles)]
            if able:
                actor = self._rng.choice(able)
                yield ProbeCall(call=name, args=self._args(self._sound.tools[name]), actor=actor)

    def _args(self, tool: ResolvedTool) -> dict[str, Any]:
        worked = self._worked.get(tool.name)
        if worked and tool.params and self._rng.random() < _KNOWN:
            args = dict(self._rng.choice(worked[-40:]))
            self._give(args, tool, self._rng.choice(list(tool.params)))
            return args
        args = {}
        for name in tool.params:
            if name in tool.required or self._rng.random() < _GIVEN:
                self._give(args, tool, name)
        for name, values in self._values.paging(tool).items():
            if self._rng.random() < _PAGED:
                args[name] = self._rng.choice(values)
        return args

    def _give(self, args: dict[str, Any], tool: ResolvedTool, name: str) -> None:
        values = self._values.of(tool, name)
        if values:
            args[name] = self._rng.choice(values)


def _parts(call: ProbeCall) -> tuple[str, dict[str, Any], Actor]:
    assert call.actor is not None
    return call.call, call.args, call.actor
