"""A solution that does another thing than was asked, with a verifier that follows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....environments.gold import run_gold
from ....environments.models import CallStep, Task
from ....environments.package import Environment
from ..base import TaskChange
from ..values import Values

_EACH = 4
"""Other values tried for an argument."""


class GoldContradicts:
    kind = "gold_contradicts"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        values = Values(environment)
        for index, step in enumerate(task.gold):
            if isinstance(step, CallStep) and environment.writes(step.call):
                for name, value in _others(environment, values, step):
                    changed = step.model_copy(update={"args": {**step.args, name: value}})
                    gold = (*task.gold[:index], changed, *task.gold[index + 1 :])
                    other = task.model_copy(update={"gold": gold})
                    if run_gold(environment, other).ok:
                        note = f"{step.call} is given {name} {value!r} instead of {step.args[name]!r}"
                        yield TaskChange(f"tasks.{task.id}.gold", note, other, derived=True)


def _others(environment: Environment, values: Values, step: CallStep) -> Iterator[tuple[str, Any]]:
    """Other values for what the call is given. Texts are left alone: how they are worded is often free."""
    tool = environment.tools[step.call]
    for name, given in step.args.items():
        param = tool.params.get(name)
        if param is None or param.type == "array" or (param.type == "string" and not (param.enum or param.format)):
            continue
        listed: Sequence[Any] = [value for value in values.of(tool, name) if value != given]
        yield from ((name, value) for value in listed[:: max(1, len(listed) // _EACH)][:_EACH])
