"""One write done in two: optional arguments set one after the other, a quantity in two parts, a list in two lists.

Whether a tool allows it shows when it is run: only what succeeds and ends ≈ gold's state is another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ...environments.models import CallStep, Param
from .base import AuditContext
from .programs import Variant, calls, with_argument, with_step

_MOST = 6
"""Of each kind."""


def split_writes(context: AuditContext) -> Iterator[Variant]:
    yield from islice(_optional(context), _MOST)
    yield from islice(_parted(context), _MOST)


def _writes(context: AuditContext) -> Iterator[tuple[int, CallStep]]:
    for index, step in calls(context.task.gold):
        plan = context.environment.plans.get(step.call)
        if plan is not None and plan.writes and step.each is None:
            yield index, step


def _optional(context: AuditContext) -> Iterator[Variant]:
    """Two calls, one of which sets a single optional argument."""
    for index, step in _writes(context):
        required = context.environment.plans[step.call].tool.required
        optional = [name for name in step.args if name not in required]
        for name in optional if len(optional) > 1 else ():
            kept = {key: value for key, value in step.args.items() if key == name or key not in optional}
            first = step.model_copy(update={"args": kept, "as_": None})
            rest = {key: value for key, value in step.args.items() if key != name}
            yield _variant(context, index, step, name, first, step.model_copy(update={"args": rest}))


def _parted(context: AuditContext) -> Iterator[Variant]:
    """Two calls, each with a part of a quantity or of a list."""
    for index, step in _writes(context):
        params = context.environment.params(step.call)
        for name, value in _sent(context, index).items():
            for one, other in _parts(params.get(name), value):
                first = with_argument(step, name, one).model_copy(update={"as_": None})
                yield _variant(context, index, step, name, first, with_argument(step, name, other))


def _sent(context: AuditContext, index: int) -> Mapping[str, Any]:
    """The arguments of a step as gold sent them."""
    return next((call.args for call in context.gold.steps if call.step == index), {})


def _parts(param: Param | None, value: Any) -> Iterator[tuple[Any, Any]]:
    if param is None or param.ref is not None or param.enum is not None:
        return
    if isinstance(value, list) and len(value) > 1:
        yield value[:1], value[1:]
    elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
        yield value // 2, value - value // 2


def _variant(
    context: AuditContext, index: int, step: CallStep, name: str, first: CallStep, second: CallStep
) -> Variant:
    change = {"step": index, "call": step.call, "first": name}
    if name in first.args and name in second.args:
        change = {"step": index, "call": step.call, name: [first.args[name], second.args[name]]}
    return Variant("write done in two", change, with_step(context.task.gold, index, first, second))
