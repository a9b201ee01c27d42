"""Calls that a search may make next, the cheapest first.

A call costs what its arguments cost, and what its tool does: reads that look around, writes of what the verifier does
not allow. Optional arguments are left out where nothing speaks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from random import Random
from typing import NamedTuple

from ...environments.models import Task
from ...environments.package import Environment
from ...environments.plans import Change, Plan
from ...environments.states import Comparison
from .base import Call
from .values import Option, Values

LEFT_OUT = 1.5
"""What it costs to leave an optional argument out for which there is a value that costs nothing."""
GIVEN = 1.5
"""What it costs to give an optional argument besides its value."""
UNSET = 4.0
"""What it costs to give one where the verifier asks for NULL."""
UNALLOWED = 8.0
_ABSENT = object()
_STRONG = 0.75


class Candidate(NamedTuple):
    cost: float
    call: Call


class ToolCosts(NamedTuple):
    """What calling each of the actor's tools costs, arguments aside."""

    reads: Mapping[str, float]
    writes: Mapping[str, float]


def tool_costs(environment: Environment, task: Task, comparison: Comparison) -> ToolCosts:
    """Writes that do nothing that the verifier allows cost most, whoever may call them."""
    admitted = {name: plan for name, plan in environment.plans.items() if plan.admits(task.actor.roles)}
    return ToolCosts(
        reads={name: 0.0 for name, plan in admitted.items() if not plan.writes},
        writes={name: _cost(plan, task, comparison) for name, plan in admitted.items() if plan.writes},
    )


def _cost(plan: Plan, task: Task, comparison: Comparison) -> float:
    """UNALLOWED for a tool all of whose changes are forbidden; 1 for each kind of change that is."""
    allowed, forbidden = 0, 0
    for step in plan.steps:
        if not isinstance(step, Change):
            continue
        for write in step.statement.writes:
            if write.table in comparison.logs or write.column in comparison.ignored.get(write.table, ()):
                continue
            if _allows(task, write.table, write.op, write.column):
                allowed += 1
            else:
                forbidden += 1
    return UNALLOWED if not allowed else min(float(forbidden), 2.0)


def _allows(task: Task, table: str, op: str, column: str | None) -> bool:
    for allow in task.verifier.allow:
        if allow.table != table:
            continue
        if (op == "insert" and allow.insert) or (op == "delete" and allow.delete) or column in allow.columns:
            return True
    return False


class Stream:
    """Calls of the tools that `costs` names, by rising cost, made as they are asked for. `jitter` is the most that
    chance adds to the cost of an argument."""

    def __init__(
        self, environment: Environment, values: Values, costs: Mapping[str, float], random: Random, jitter: float
    ) -> None:
        self._environment = environment
        self._values = values
        self._random = random
        self._jitter = jitter
        # A tool's calls cost no less than the tool: what it may be given is looked up when its turn comes.
        self._queue: list[tuple[float, int, str, Candidate | None, Iterator[Candidate]]] = [
            (cost + random.random() * jitter, place, name, None, iter(()))
            for place, (name, cost) in enumerate(costs.items())
        ]
        heapify(self._queue)
        self._made: list[Candidate] = []

    def at(self, place: int) -> Candidate | None:
        while len(self._made) <= place:
            if not self._queue:
                return None
            cost, number, name, candidate, rest = heappop(self._queue)
            if candidate is None:
                rest = _calls(self._environment.plans[name], self._values, cost, self._random, self._jitter)
            else:
                self._made.append(candidate)
            following = next(rest, None)
            if following is not None:
                heappush(self._queue, (following.cost, number, name, following, rest))
        return self._made[place]


def _calls(plan: Plan, values: Values, cost: float, random: Random, jitter: float) -> Iterator[Candidate]:
    """Calls of one tool: the choices of its arguments in order of their sums. Each fits by itself, and a tool asks
    nothing of arguments together."""
    names = list(plan.tool.params)
    options = [_options(plan, name, values, random, jitter) for name in names]
    if not all(options):
        return
    page = {"limit": plan.tool.page.max} if plan.tool.page else {}
    start = (0,) * len(names)
    queue = [(cost + sum(choice[0].cost for choice in options), start)]
    seen = {start}
    while queue:
        total, place = heappop(queue)
        chosen = {name: options[k][place[k]].value for k, name in enumerate(names)}
        args = page | {name: value for name, value in chosen.items() if value is not _ABSENT}
        yield Candidate(total, Call(plan.tool.name, args))
        for k in range(len(names)):
            if place[k] + 1 < len(options[k]):
                after = (*place[:k], place[k] + 1, *place[k + 1 :])
                if after not in seen:
                    seen.add(after)
                    heappush(queue, (total + options[k][place[k] + 1].cost - options[k][place[k]].cost, after))


def _options(plan: Plan, name: str, values: Values, random: Random, jitter: float) -> list[Option]:
    found = values.fitting(plan, name)
    if name not in plan.tool.required:
        unset = plan.writes and values.is_unset(name)
        strong = bool(found) and found[0].cost <= _STRONG and plan.writes and not unset
        given = 0.0 if strong else UNSET if unset else GIVEN
        found = [Option(option.value, option.cost + given) for option in found]
        found.append(Option(_ABSENT, LEFT_OUT if strong else 0.0))
    if jitter:
        found = [Option(option.value, option.cost + random.random() * jitter) for option in found]
    return sorted(found, key=lambda option: option.cost)
