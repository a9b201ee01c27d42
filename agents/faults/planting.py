"""Planting one fault in a sound environment."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from ...environments.canonical import seed_from
from ...environments.errors import PackageError
from ...environments.models import Tool, ToolsFile
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.anatomy import Anatomy
from .base import Change, Operator, Planted
from .operators import OPERATORS

_TRIES = 12


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


def plants(environment: Environment, kind: str) -> Iterator[Planted]:
    """Every fault of one kind that the environment admits, in order of place."""
    anatomy = Anatomy(environment)
    for operator in OPERATORS:
        for change in operator.sites(anatomy) if operator.kind == kind else ():
            changed = _changed(environment, change)
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


def _plant(environment: Environment, anatomy: Anatomy, operator: Operator, rng: random.Random) -> Planted | None:
    changes = list(operator.sites(anatomy))
    rng.shuffle(changes)
    for change in changes[:_TRIES]:
        changed = _changed(environment, change)
        if changed is not None:
            return Planted(changed, operator.kind, change.where, change.note)
    return None


def _changed(environment: Environment, change: Change) -> Environment | None:
    """The environment with a change made; None if it does not load or is the same as before."""
    tools = environment.tools_file if change.tool is None else _with_tool(environment, change.tool)
    try:
        changed = Environment.build(
            spec=change.spec or environment.spec,
            schema_sql=environment.schema_sql,
            seed_sql=environment.seed_sql,
            tools=tools,
        )
    except PackageError:
        return None
    return changed if _behaviour(changed) != _behaviour(environment) else None


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
