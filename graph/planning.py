"""What to do next, decided only from what earlier rounds committed.

`uniform` gives every arm (an operator that fits the task, or a new task) the same chance. How a task is
evolved follows from its measured pass rate alone; whether the child is kept follows from the band alone.

A run ends when there is nothing left to plan. Each kind of work is used up by itself: a build its scenario, an operator
its task, a measurement its task, a rating its pair, the scout once it offers nothing, and writing for an environment
once it was fruitless FRUITLESS_WRITES times in succession (each time with another seed). So what is fruitless ends after
a bounded number of rounds, and only when nothing else in the run is left either. Builds end once FRUITLESS_BUILDS of
them in succession came to nothing usable: whatever breaks them will break the next scenario too, and each costs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..agents.base import Direction, Scenario
from ..environments.canonical import seed_from
from ..environments.models import Fate
from ..eval.bands import Band
from .config import RunConfig
from .items import Item

SPARE, LEAST = 2, 4
"""Candidates planned for each missing task (most do not make it), and the fewest that are worth a round."""

MAX_GENERATION = 6
"""How often a line of tasks is evolved before a new one is written instead."""

FRUITLESS_WRITES = 3
"""Write items in succession that admit nothing before an environment is written for no more."""

FRUITLESS_BUILDS = 6
"""Builds in succession that were broken or set aside (duplicates are not) before no more are tried."""

PLACEBO = "paraphrase"
PLACEBO_SHARE = 0.1
"""One application in ten changes nothing but words: what operators do is held against it."""


class TaskView(NamedTuple):
    """A task as the planner sees it. `rate` is the target's posterior mean pass rate, None before measuring."""

    version: str
    id: str
    environment: str
    fate: Fate | None
    rate: float | None
    generation: int
    operators: frozenset[str]
    """Operators already applied to it."""
    paired: bool = False
    """It is a refusal, and stands for its twin as well: no operator changes both alike."""


class RunView(NamedTuple):
    """The committed state of a run as the planner sees it."""

    scenarios: tuple[Scenario, ...]
    """All that the run knows: configured, then scouted."""
    tried: frozenset[str]
    """Ids of the scenarios that builds were spent on."""
    environments: tuple[str, ...]
    tasks: tuple[TaskView, ...]
    rated: frozenset[tuple[str, str]]
    """(task version, solver) pairs that are done or were set aside."""
    scouted_dry: bool
    """The scout had nothing more to offer."""
    written_dry: frozenset[str] = frozenset()
    """Environments for which writing was fruitless FRUITLESS_WRITES times in succession."""
    built_dry: bool = False
    """The last FRUITLESS_BUILDS builds came to nothing usable."""


class Operators(NamedTuple):
    harden: tuple[str, ...]
    soften: tuple[str, ...]

    def of(self, direction: Direction) -> tuple[str, ...]:
        return self.harden if direction == "harden" else self.soften


class Plan(NamedTuple):
    """The items of a round; none means that the run is over, for the reason given."""

    items: tuple[Item, ...]
    reason: Literal["", "target reached", "nothing left to try", "builds keep failing"] = ""


def plan_round(config: RunConfig, view: RunView, number: int, operators: Operators) -> Plan:
    """The next round's items, in a fixed order."""
    rng = random.Random(seed_from(config.seed, "plan", number))
    held = _by_environment(view)
    items = [*_builds(config, view, number)]
    for environment in view.environments[: config.environments]:
        writing = environment not in view.written_dry
        items += _work_on(config, number, environment, held[environment], operators, rng, writing=writing)
    items += _ratings(config, view, number)
    if items:
        return Plan(tuple(items))
    wanted = view.environments[: config.environments]
    reached = len(wanted) == config.environments and all(_missing(config, held[name]) <= 0 for name in wanted)
    if reached:
        return Plan((), "target reached")
    stuck = view.built_dry and len(wanted) < config.environments
    return Plan((), "builds keep failing" if stuck else "nothing left to try")


def _by_environment(view: RunView) -> dict[str, list[TaskView]]:
    held: dict[str, list[TaskView]] = {environment: [] for environment in view.environments}
    for task in view.tasks:
        if task.environment in held:
            held[task.environment].append(task)
    return held


def _missing(config: RunConfig, tasks: Sequence[TaskView]) -> int:
    return config.tasks - sum(task.fate == "confirmed" for task in tasks)


def _builds(config: RunConfig, view: RunView, number: int) -> list[Item]:
    missing = config.environments - len(view.environments)
    if missing <= 0 or view.built_dry:
        return []
    fresh = [scenario for scenario in view.scenarios if scenario.id not in view.tried][:missing]
    builds = [Item(round=number, kind="build", name=scenario.id, scenario=scenario) for scenario in fresh]
    if not builds and not view.scouted_dry:
        return [Item(round=number, kind="scout", name="more", count=max(missing, 4))]
    return builds


def _work_on(
    config: RunConfig,
    number: int,
    environment: str,
    tasks: Sequence[TaskView],
    operators: Operators,
    rng: random.Random,
    *,
    writing: bool,
) -> list[Item]:
    missing = _missing(config, tasks)
    if missing <= 0:
        return []
    unmeasured = [task for task in tasks if task.rate is None and task.fate is None]
    if unmeasured:
        return [_measure(number, task) for task in unmeasured]
    arms = _arms(config, tasks, operators)
    wanted = max(SPARE * missing, LEAST)
    items: list[Item] = []
    while len(items) < wanted and arms:
        operator, candidates = _drawn(arms, rng)
        task, direction = _nearest(config, candidates, rng)
        items.append(_evolve(number, task, operator, direction))
        arms = [arm for arm in arms if arm[0].version != task.version]
    if len(items) < wanted and writing:
        items.append(_write(number, environment, 2 * (wanted - len(items))))
    return items


def _drawn(
    arms: Sequence[tuple[TaskView, str, Direction]], rng: random.Random
) -> tuple[str, list[tuple[TaskView, Direction]]]:
    """An operator, and the tasks that it may be applied to; the placebo too only once to each."""
    plain = [(task, direction) for task, _, direction in arms if PLACEBO not in task.operators]
    if rng.random() < PLACEBO_SHARE and plain:
        return PLACEBO, plain
    operator = rng.choice(sorted({name for _, name, _ in arms}))
    return operator, [(task, direction) for task, name, direction in arms if name == operator]


def _arms(
    config: RunConfig, tasks: Sequence[TaskView], operators: Operators
) -> list[tuple[TaskView, str, Direction]]:
    middle = Band.parse(config.band).middle
    arms = list[tuple[TaskView, str, Direction]]()
    for task in tasks:
        if task.rate is None or task.fate not in {"too_easy", "too_hard", "undecided", "unconfirmed"}:
            continue
        if task.generation >= MAX_GENERATION or task.paired:
            continue
        direction: Direction = "harden" if task.rate > middle else "soften"
        arms += [(task, name, direction) for name in operators.of(direction) if name not in task.operators]
    return arms


def _nearest(
    config: RunConfig, choices: Sequence[tuple[TaskView, Direction]], rng: random.Random
) -> tuple[TaskView, Direction]:
    """One of the three tasks that are closest to the band and were evolved least."""
    middle = Band.parse(config.band).middle
    ranked = sorted(
        choices,
        key=lambda choice: (len(choice[0].operators), abs((choice[0].rate or 0.0) - middle), choice[0].version),
    )
    return rng.choice(ranked[:3])


def _ratings(config: RunConfig, view: RunView, number: int) -> list[Item]:
    return [
        Item(
            round=number,
            kind="rate",
            name=f"{task.version[:16]}/{solver}",
            environment=task.environment,
            task=task.version,
            solver=solver,
        )
        for task in view.tasks
        if task.fate == "confirmed"
        for solver in config.solvers
        if solver != config.target and (task.version, solver) not in view.rated
    ]


def _write(number: int, environment: str, count: int) -> Item:
    return Item(round=number, kind="write", name=environment, environment=environment, count=count)


def _measure(number: int, task: TaskView) -> Item:
    return Item(round=number, kind="measure", name=task.version[:16], environment=task.environment, task=task.version)


def _evolve(number: int, task: TaskView, operator: str, direction: Direction) -> Item:
    return Item(
        round=number,
        kind="evolve",
        name=f"{task.version[:16]}/{operator}",
        environment=task.environment,
        task=task.version,
        operator=operator,
        direction=direction,
        turn=len(task.operators),
    )
