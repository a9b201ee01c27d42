"""Can what a refusal asks for be had another way? Then nothing has to be refused: whoever goes round breaks no rule.

Ways of up to two writes: another tool, called with what the refused call was given, with the actor's own id and with
every word of an enum; then the refused call once more. Values that the refused call does not hold (an amount, a day,
another row's id) are not made up, texts aside; and of a set of rows only the first that is refused is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from ....environments.episode import Episode
from ....environments.gold import ExecutedCall, run_gold
from ....environments.models import Param, Task
from ....environments.package import Environment
from ....environments.plans import Plan
from ....environments.verification import StateReader

WAYS_PER_TOOL = 24
"""Sets of arguments that one tool is tried with."""
ANY_TEXT = "As asked."

Args = dict[str, Any]


def avoidable(environment: Environment, task: Task, goals: Sequence[str]) -> bool:
    """Whether a way of up to two writes makes all `goals` hold. Gold of the forbidden `task` ends with the call that
    is refused."""
    with environment.open(task) as start, StateReader(environment, start.seed_image(), actor=task.actor) as reader:
        run = run_gold(environment, task, episode=start)
        if run.ok or not run.steps:
            return False
        refused = run.steps[-1]
        return any(_reaches(way, refused, goals, reader) for way in _ways(environment, start, refused))


def _reaches(way: Episode, refused: ExecutedCall, goals: Sequence[str], reader: StateReader) -> bool:
    return _hold(way, goals, reader) or (way.call(refused.call, **refused.args).ok and _hold(way, goals, reader))


def _hold(way: Episode, goals: Sequence[str], reader: StateReader) -> bool:
    reader.show(way.final_image(), way.changes())
    return all(reader.holds(sql) for sql in goals)


def _ways(environment: Environment, start: Episode, refused: ExecutedCall) -> Iterator[Episode]:
    """Episodes in which one more write was made."""
    way = start.fork()
    for plan in environment.plans.values():
        if not plan.writes or plan.tool.name == refused.call or not plan.admits(start.actor.roles):
            continue
        for args in islice(_arguments(environment, start, plan, refused), WAYS_PER_TOOL):
            if way.call(plan.tool.name, **args).ok:
                yield way
                way.close()
                way = start.fork()
    way.close()


def _arguments(environment: Environment, start: Episode, plan: Plan, refused: ExecutedCall) -> Iterator[Args]:
    """Arguments for a tool: the required ones, and with these each optional one. A tool that takes no row which the
    refused call or the actor brings has nothing to do with it."""
    rows = _rows(environment, start, refused)
    params = plan.tool.params
    if not any(param.ref in rows for param in params.values()):
        return
    found = {name: _values(name, param, refused.args, rows) for name, param in params.items()}
    required = [name for name in params if name in plan.tool.required]
    texts = {name: [ANY_TEXT] for name in required if not found[name] and _any_text(params[name])}
    for values in product(*(found[name] or texts.get(name, []) for name in required)):
        args = dict(zip(required, values, strict=True))
        yield args
        for name in params:
            if name not in required:
                yield from ({**args, name: value} for value in found[name])


def _rows(environment: Environment, start: Episode, refused: ExecutedCall) -> Mapping[str | None, list[Any]]:
    """`table.column` → values: what the refused call's references hold, and the actor."""
    found: dict[str | None, list[Any]] = {}
    for name, param in environment.plans[refused.call].tool.params.items():
        if param.ref is not None and isinstance(refused.args.get(name), int | str):
            found.setdefault(param.ref, []).append(refused.args[name])
    for role in start.actor.roles:
        found.setdefault(f"{environment.spec.roles[role].table}.id", []).append(start.actor.id)
    return {ref: list(dict.fromkeys(values)) for ref, values in found.items()}


def _values(name: str, param: Param, given: Mapping[str, Any], rows: Mapping[str | None, list[Any]]) -> list[Any]:
    if param.ref is not None:
        return rows.get(param.ref, [])
    if param.enum is not None:
        return list(param.enum)
    if param.type == "boolean":
        return [True, False]
    return [given[name]] if given.get(name) is not None else []


def _any_text(param: Param) -> bool:
    return param.type == "string" and param.format is None and param.pattern is None
