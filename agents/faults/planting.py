"""Planting one fault, or one legitimate change, in a sound environment."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from ...environments.canonical import seed_from
from ...environments.errors import PackageError
from ...environments.models import EnvironmentSpec, Task, Tool, ToolsFile
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.anatomy import Anatomy
from .base import Change, DecoyChange, Operator, Planted, TaskChange
from .decoys import DECOYS
from .operators import OPERATORS
from .task_operators import TASK_OPERATORS

_TRIES = 12
_Change = TypeVar("_Change")


def plant(environment: Environment, rng: random.Random, kinds: Collection[str] | None = None) -> Planted | None:
    """The environment with one fault of one of `kinds` (None: any), drawn by `rng`: first the kind, then the place.

    What does not load, or leaves every statement, schema and description as it was, is not planted. None if no kind
    applies. Tasks are left out: gold and verifiers are those of the sound environment.
    """
    anatomy = Anatomy(environment)
    operators = [operator for operator in OPERATORS if kinds is None or operator.kind in kinds]
    rng.shuffle(operators)
    for operator in operators:
        planted = _plant(environment, anatomy, operator, rng)
        if planted is not None:
            return planted
    return None


def plants(environment: Environment, kind: str, rng: random.Random | None = None) -> Iterator[Planted]:
    """Every fault of one kind that the environment's tools admit, in order of place, or drawn by `rng`."""
    anatomy = Anatomy(environment)
    for operator in OPERATORS:
        for change in _in_order(operator.sites(anatomy), rng) if operator.kind == kind else ():
            changed = _changed(environment, change)
            if changed is not None:
                yield Planted(changed, kind, change.where, change.note)


def task_plants(environment: Environment, kind: str, rng: random.Random | None = None) -> Iterator[Planted]:
    """Every fault of one kind that the environment's tasks admit. All tasks travel with it, the others as they were:
    where the seed was changed, their gold is to be run again."""
    for operator in TASK_OPERATORS:
        tasks = environment.tasks.values() if operator.kind == kind else ()
        changes = (change for task in tasks for change in operator.sites(environment, task))
        for change in _in_order(changes, rng):
            changed = _spoilt(environment, change)
            if changed is not None:
                yield Planted(changed, kind, change.where, change.note, change.task.id, change.derived)


def decoys(environment: Environment, kind: str, rng: random.Random | None = None) -> Iterator[Planted]:
    """Every legitimate change of one kind; the tasks travel with it."""
    for operator in DECOYS:
        for change in _in_order(operator.sites(environment), rng) if operator.kind == kind else ():
            changed = _decoy(environment, change)
            if changed is not None:
                yield Planted(changed, kind, change.where, change.note)


class FaultPlanter:
    """Plants faults in a share of the environments that it is given: a stand-in for a coder that makes mistakes."""

    def __init__(self, rate: float, seed: int = 0, kinds: Collection[str] | None = None) -> None:
        """`rate`: the probability, in 0..1, that an environment gets a fault."""
        self._rate = rate
        self._seed = seed
        self._kinds = kinds

    def __call__(self, environment: Environment, seed: int = 0) -> Environment:
        """The environment itself, or one with a fault; the same for the same environment and seeds."""
        rng = random.Random(seed_from("faults", self._seed, seed, environment.hash))
        if rng.random() >= self._rate:
            return environment
        planted = plant(environment, rng, self._kinds)
        return planted.environment if planted is not None else environment


def _in_order(changes: Iterable[_Change], rng: random.Random | None) -> Iterable[_Change]:
    if rng is None:
        return changes
    listed = list(changes)
    rng.shuffle(listed)
    return listed


def _plant(environment: Environment, anatomy: Anatomy, operator: Operator, rng: random.Random) -> Planted | None:
    changes = list(operator.sites(anatomy))
    rng.shuffle(changes)
    for change in changes[:_TRIES]:
        changed = _changed(environment, change)
        if changed is not None:
            return Planted(changed, operator.kind, change.where, change.note)
    return None


def _changed(environment: Environment, change: Change) -> Environment | None:
    """The environment with a change made, without tasks; None if it does not load or is the same as before."""
    tools = environment.tools_file if change.tool is None else _with_tool(environment, change.tool)
    changed = _built(environment, spec=change.spec, tools=tools)
    return changed if changed is not None and _behaviour(changed) != _behaviour(environment) else None


def _spoilt(environment: Environment, change: TaskChange) -> Environment | None:
    tasks = tuple(change.task if each.id == change.task.id else each for each in environment.tasks.values())
    changed = _built(environment, seed_sql=change.seed_sql, tasks=tasks)
    same = changed is not None and (changed.hash, dict(changed.tasks)) == (environment.hash, dict(environment.tasks))
    return None if same else changed


def _decoy(environment: Environment, change: DecoyChange) -> Environment | None:
    tools = environment.tools_file if change.tool is None else _with_tool(environment, change.tool)
    if change.added is not None:
        tools = tools.model_copy(update={"tools": (*tools.tools, _as_tool(change.added))})
    tasks = tuple(environment.tasks.values()) if change.tasks is None else change.tasks
    return _built(environment, spec=change.spec, schema_sql=change.schema_sql, tools=tools, tasks=tasks)


def _built(
    environment: Environment,
    *,
    spec: EnvironmentSpec | None = None,
    schema_sql: str | None = None,
    seed_sql: str | None = None,
    tools: ToolsFile | None = None,
    tasks: tuple[Task, ...] = (),
) -> Environment | None:
    """The environment with other parts; None if it does not load."""
    try:
        return Environment.build(
            spec=spec or environment.spec,
            schema_sql=schema_sql or environment.schema_sql,
            seed_sql=seed_sql or environment.seed_sql,
            tools=tools or environment.tools_file,
            tasks=tasks,
        )
    except PackageError:
        return None


def _with_tool(environment: Environment, changed: ResolvedTool) -> ToolsFile:
    """The tools with one exchanged. Its shared pieces are written out, so that no other tool changes with it."""
    tools = tuple(_as_tool(changed) if tool.name == changed.name else tool for tool in environment.tools_file.tools)
    return environment.tools_file.model_copy(update={"tools": tools})


def _as_tool(tool: ResolvedTool) -> Tool:
    return Tool.model_validate(tool.model_dump(by_alias=True, exclude_unset=True, include=set(Tool.model_fields)))


def _behaviour(environment: Environment) -> list[object]:
    """What callers can notice of the tools: statements in order, guards and whom they bind, definitions."""
    return [
        [
            plan.definition,
            [statement.sql for statement in plan.statements],
            [
                step.model_dump(mode="json", by_alias=True, exclude={"require", "do", "let"})
                for step in plan.tool.steps
            ],
            [[check.param, check.roles, check.code] for check in plan.references],
            plan.tool.roles,
        ]
        for plan in environment.plans.values()
    ]
