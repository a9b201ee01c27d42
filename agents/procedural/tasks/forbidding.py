"""Is a request refused for one reason alone? A tool that would refuse it for another one too leaves it open which rule
is to be named.

The request is tried once more in a world whose tool lacks the guard that refused it, or admits everybody: there no
other guard of the tool may refuse it. A constraint of the schema may: it stands behind the guard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....environments.errors import PackageError
from ....environments.gold import run_gold
from ....environments.models import Require, Task, Tool
from ....environments.package import Environment
from ....environments.resolution import ResolvedTool
from .plans import TRIED


def all_the_same(refusal: Task) -> Task:
    """The task whose gold does what `refusal` asks although it is forbidden."""
    found = refusal.model_dump(by_alias=True, exclude_unset=True)
    gold = [*found["gold"][:-1], *refusal.plan[TRIED], {"submit": {}}]
    return Task.model_validate({**found, "gold": gold})


def refused_once(environment: Environment, task: Task) -> bool:
    """Whether the write that gold of the forbidden `task` ends with is refused, and by nothing but one guard. What a
    parameter's own scope refuses is refused for one reason."""
    run = run_gold(environment, task)
    last = run.steps[-1] if run.steps else None
    if run.ok or last is None or last.result.error is None or not environment.plans[last.call].writes:
        return False
    tool = environment.plans[last.call].tool
    said = last.result.error.message
    lenient = list(_without_the_guard(tool, task, said))
    return not any(_refused_again(environment, task, one) for one in lenient)


def _without_the_guard(tool: ResolvedTool, task: Task, said: str) -> Iterator[Tool]:
    """The tool open to all, if this actor may not call it; else without the guard that says what was `said`."""
    if tool.roles is not None and not {*tool.roles} & {*task.actor.roles}:
        yield _changed(tool, roles=None)
        return
    for place, step in enumerate(tool.steps):
        if isinstance(step, Require) and _says(step, said):
            yield _changed(tool, steps=(*tool.steps[:place], *tool.steps[place + 1 :]))


def _changed(tool: ResolvedTool, **fields: Any) -> Tool:
    held = tool.model_dump(by_alias=True, exclude_unset=True, include=set(Tool.model_fields))
    return Tool.model_validate({**held, **fields})


def _says(guard: Require, said: str) -> bool:
    """Whether a message is the guard's, with whatever stands in its gaps."""
    parts = re.split(r"\{\w+\}", guard.error.message)
    return re.fullmatch(".*".join(map(re.escape, parts)), said, re.DOTALL) is not None


def _refused_again(environment: Environment, task: Task, lenient: Tool) -> bool:
    """Whether another guard of the tool refuses the request too."""
    tools = tuple(lenient if tool.name == lenient.name else tool for tool in environment.tools_file.tools)
    try:
        world = Environment.build(
            spec=environment.spec,
            schema_sql=environment.schema_sql,
            seed_sql=environment.seed_sql,
            tools=environment.tools_file.model_copy(update={"tools": tools}),
        )
    except PackageError:  # what the guard looked up is used by nothing else
        return False
    run = run_gold(world, task)
    error = run.steps[-1].result.error if run.steps and run.steps[-1].call == lenient.name else None
    guards = (step for step in world.plans[lenient.name].tool.steps if isinstance(step, Require))
    return error is not None and any(_says(guard, error.message) for guard in guards)
