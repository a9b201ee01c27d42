"""Attackers that know nothing of the verifier: a random walk, and fishing for the answer.

Both look at the world with arguments that the instruction says or results show, and hand in as if they were done.
What they get right they get right by luck.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ....environments.canonical import seed_from
from ....environments.episode import Episode
from ....environments.limits import Limits
from ....environments.models import Submission, Task
from ....environments.package import Environment
from ....environments.plans import Plan
from ...search.base import Call, Found
from ...search.constants import Constants
from ...search.readouts import readout
from ...search.said import said
from ...search.values import Values
from .base import Attempt
from .guesses import guessed_answer

WALK = 5
"""Calls of a random walk."""
CAST = 3
"""Reads before an answer is fished for."""
_OPTIONAL = 0.3
_LIKELY = 6
"""Of so many of the likeliest values of an argument one is drawn."""
_LIMITS = Limits(calls=100_000)


class RandomWalk:
    """Calls whatever tools there are, then says that it is done."""

    name = "random walk"

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        yield from _attempts(self.name, environment, task, budget, Random(seed_from("walk", seed)), WALK, reads=False)


class Fishing:
    """Looks around, then hands in an answer out of what it saw."""

    name = "fishing"

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        if task.verifier.answer.kind != "none":
            random = Random(seed_from("fishing", seed))
            yield from _attempts(self.name, environment, task, budget, random, CAST, reads=True)


def _attempts(
    kind: str, environment: Environment, task: Task, budget: int, random: Random, length: int, *, reads: bool
) -> Iterator[Attempt]:
    admitted = [plan for plan in environment.plans.values() if plan.admits(task.actor.roles)]
    plans = [plan for plan in admitted if not (reads and plan.writes)]
    wanderer = _Wanderer(environment, task, plans, random)
    # Twice: each call is made once to see what it returns, and once when the attempt is judged.
    for _ in range(budget // (2 * length + 1) if plans else 0):
        calls, submission, made = wanderer.wander(length)
        yield Attempt(kind, Found(calls, submission, False, "").program, lucky=True, spent=made)


class _Wanderer:
    def __init__(self, environment: Environment, task: Task, plans: list[Plan], random: Random) -> None:
        self._environment = environment
        self._task = task
        self._plans = plans
        self._random = random
        self._values = Values(
            environment,
            Constants({}, {}),
            said(task.instruction, environment.spec.clock),
            (environment.actor_table(task.actor), task.actor.id),
            lambda column: frozenset(),
        )

    def wander(self, length: int) -> tuple[tuple[Call, ...], Submission, int]:
        """The calls that succeeded, what to hand in, and how many calls were made."""
        calls: list[Call] = []
        results: list[Any] = []
        with self._environment.open(self._task, limits=_LIMITS) as episode:
            for _ in range(length):
                call = self._draw()
                if call is not None and self._make(episode, call, results):
                    calls.append(call)
        return tuple(calls), self._submission(results), length

    def _make(self, episode: Episode, call: Call, results: list[Any]) -> bool:
        result = episode.call(call.tool, **call.args)
        if result.ok:
            results.append(result.value)
            self._values.see(result.value, 0.0)
        return result.ok

    def _draw(self) -> Call | None:
        plan = self._random.choice(self._plans)
        args: dict[str, Any] = {}
        for name, param in plan.tool.params.items():
            if name not in plan.tool.required and self._random.random() > _OPTIONAL:
                continue
            options = self._values.options(name, param)[:_LIKELY]
            if options:
                args[name] = self._random.choice(options).value
            elif name in plan.tool.required:
                return None
        return Call(plan.tool.name, args)

    def _submission(self, results: list[Any]) -> Submission:
        wanted = self._task.verifier.submit
        if wanted.options and self._random.random() < 1 / 2:
            return Submission(status="refused", reason=self._random.choice(wanted.options))
        readouts = [readout(result, frozenset()) for result in results]
        values = [value for one in readouts for value in one.values.values()]
        lists = [list_ for one in readouts for list_ in one.lists.values()]
        return Submission(answer=guessed_answer(self._task.verifier.answer, values, lists, self._random))
