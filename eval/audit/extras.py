"""Something done besides: after gold, one more call of a tool that does what `allow` lets happen.

What `allow` does not cover is damage, whatever it is. What it covers may be done once more, or to another row, and
then a requirement has to notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from ...environments.episode import Episode
from ...environments.gold import run_gold
from ...environments.models import Allow, Param
from ...environments.plans import Change, Plan
from ...environments.states.rows import quoted
from .base import AuditContext, Trial
from .sql_literals import equalities

_MOST_CALLS = 24
_TRIES = 4
_VALUES = 12


def extra_effects(context: AuditContext) -> list[Trial]:
    """Gold's end after one more call, where the call succeeds and changes what counts."""
    found: list[Trial] = []
    with context.environment.open(context.task) as episode:
        run = run_gold(context.environment, context.task, until=len(context.task.gold) - 1, episode=episode)
        if not run.ok:
            return found
        for tool, args in islice(_calls(context), _MOST_CALLS):
            with episode.fork() as copy:
                trial = _trial(context, copy, tool, args)
            if trial is not None:
                found.append(trial)
    return found


def _trial(context: AuditContext, episode: Episode, tool: str, args: dict[str, Any]) -> Trial | None:
    if not episode.call(tool, **args).ok:
        return None
    state = context.state(episode.final_image(), episode.changes())
    if state.signature == context.gold.signature:
        return None
    shown = {"kind": "something done besides", "call": tool, "args": args}
    return Trial(shown, context.judge(state.image, state.changes, context.gold.submission))


def _calls(context: AuditContext) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls by the actor, each once."""
    random = Random(context.seed)
    roles, seen = context.task.actor.roles, set[str]()
    for allow in context.task.verifier.allow:
        for name, plan in context.environment.plans.items():
            if not plan.admits(roles) or not _does(plan, allow):
                continue
            made = _Arguments(context, plan, allow, random)
            for number in range(_TRIES):
                args = made.take(number)
                if args is not None and repr((name, args)) not in seen:
                    seen.add(repr((name, args)))
                    yield name, args


def _does(plan: Plan, allow: Allow) -> bool:
    """Whether a tool may do what an entry allows."""
    writes = {write for step in plan.steps if isinstance(step, Change) for write in step.statement.writes}
    own = [write for write in writes if write.table == allow.table]
    if allow.key is not None:
        return any(write.column in allow.columns for write in own)
    wanted = "insert" if allow.insert is not None else "delete"
    return any(write.op == wanted for write in own)


class _Arguments:
    """Arguments for a tool: what the entry's condition asks for, else what the world holds."""

    def __init__(self, context: AuditContext, plan: Plan, allow: Allow, random: Random) -> None:
        self._context = context
        self._params = {name: param for name, param in plan.tool.params.items() if name in plan.tool.required}
        limit = allow.insert or allow.delete
        self._wanted = {**(allow.key or {}), **(equalities(limit.where, {}) if limit and limit.where else {})}
        self._random = random

    def take(self, number: int) -> dict[str, Any] | None:
        """The `number`-th choice; None where a parameter has none."""
        options = self._options
        if not all(options.values()):
            return None
        return {name: values[number % len(values)] for name, values in options.items()}

    @cached_property
    def _options(self) -> dict[str, list[Any]]:
        return {name: self._values(name, param) for name, param in self._params.items()}

    def _values(self, name: str, param: Param) -> list[Any]:
        if param.items is not None:
            return [[value] for value in self._values(name, param.items)]
        if param.ref is not None:
            table, _, column = param.ref.partition(".")
            found = self._column(table, column)
        elif param.enum is not None:
            found = list(param.enum)
        else:
            found = self._named(name, param) or _made_up(param, self._context.environment.spec.clock)
        wanted = [self._wanted[name]] if name in self._wanted and param.ref is None else []
        return wanted + found

    def _named(self, name: str, param: Param) -> list[Any]:
        """Values of columns of the parameter's name that have its type."""
        tables = self._context.environment.tables().values()
        values = [value for table in tables if name in table.stored for value in self._column(table.name, name)]
        return [value for value in values if _fits(param, value)]

    def _column(self, table: str, column: str) -> list[Any]:
        sql = f"SELECT DISTINCT {quoted(column)} FROM before.{quoted(table)} ORDER BY 1"
        found = [value for (value,) in self._context.reader.query(sql) if value is not None]
        return self._random.sample(found, min(_VALUES, len(found)))


def _fits(param: Param, value: Any) -> bool:
    kinds: Mapping[str, type | tuple[type, ...]] = {"string": str, "integer": int, "number": (int, float)}
    return param.type in kinds and isinstance(value, kinds[param.type])


def _made_up(param: Param, clock: str) -> list[Any]:
    if param.type == "boolean":
        return [True, False]
    if param.type in ("integer", "number"):
        least = int(param.minimum or 1)
        return [least, least + 1]
    if param.type != "string":
        return []
    day = clock[:8]
    made = {
        "date": [f"{day}{last:02}" for last in (20, 27)],
        "date-time": [f"{day}{last:02} 19:30:00" for last in (20, 27)],
        "time": ["19:30"],
        "email": ["someone.else@example.com"],
    }
    return made.get(param.format or "", ["something else"])
