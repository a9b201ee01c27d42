"""The constants that gold's steps hold: what its calls pass without looking it up, and what its picks compare with.

Left out: references, how a list is shown, texts that gold writes (what they must say is the verifier's to tell), and
values of free columns, which gold made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...environments.models import CallStep, PickStep
from .base import AuditContext
from .language import is_date
from .sql_literals import constants


class GoldConstant(NamedTuple):
    """A constant, the step of gold (from 0) that holds it, whether that step only looks, and the place in words.
    `bounds`: what it bounds, if it does ("under $100" is at most 9999)."""

    value: Any
    step: int
    looks: bool
    where: str
    bounds: tuple[int, ...] = ()


def gold_constants(context: AuditContext) -> Iterator[GoldConstant]:
    """The constants of gold's calls and picks, in order."""
    made_up = set(_free(context))
    for index, step in enumerate(context.task.gold):
        if isinstance(step, PickStep):
            for constant in constants(step.sql):
                yield GoldConstant(constant.value, index, True, f"gold's pick {step.pick}")
        elif isinstance(step, CallStep):
            looks = not context.environment.writes(step.call)
            for name, value in _passed(context, step):
                if value not in made_up and (looks or not isinstance(value, str) or is_date(value)):
                    yield GoldConstant(value, index, looks, f"{name} of gold's {step.call}", _bounds(name, value))


def gold_texts(context: AuditContext) -> Iterator[str]:
    """The texts that gold's calls pass and its picks compare with, whatever they are for."""
    for step in context.task.gold:
        found = [constant.value for constant in constants(step.sql)] if isinstance(step, PickStep) else []
        if isinstance(step, CallStep):
            found = list(_literals(step.args))
        yield from (value for value in found if isinstance(value, str))


def _passed(context: AuditContext, step: CallStep) -> Iterator[tuple[str, Any]]:
    plan = context.environment.plans.get(step.call)
    for name, argument in step.args.items():
        if plan is not None and name not in plan.tool.params:
            continue  # limit, offset and sort: how a list is shown
        yield from ((name, value) for value in _literals(argument))


def _bounds(name: str, value: Any) -> tuple[int, ...]:
    """The number that an inclusive bound stands next to."""
    if not isinstance(value, int):
        return ()
    words = set(name.split("_"))
    return (value + 1,) if words & {"max", "most"} else (value - 1,) if words & {"min", "least"} else ()


def _literals(argument: Any) -> Iterator[Any]:
    """The scalars in an argument that are no references."""
    if isinstance(argument, Mapping):
        argument = list(argument.values())
    if isinstance(argument, list | tuple):
        yield from (value for inner in argument for value in _literals(inner))
    elif isinstance(argument, str) and argument.startswith("$"):
        yield from (argument[1:],) if argument.startswith("$$") else ()
    elif argument is not None:
        yield argument


def _free(context: AuditContext) -> Iterator[Any]:
    """What gold wrote where the verifier leaves the value to the solver."""
    free = context.task.verifier.free
    for change in context.gold.changes.rows:
        yield from (value for column, value in change.new.items() if column in free.get(change.table, ()))
