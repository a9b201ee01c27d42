"""Something done besides: after gold, one more call of a tool that does what `allow` lets happen.

What `allow` does not cover is damage, whatever it is. What it covers may be done once more, or to another row, and
then a requirement has to notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from ...environments.episode import Episode
from ...environments.gold import run_gold
from ...environments.limits import Limits
from ...environments.models import Allow, Param
from ...environments.plans import Change, Plan
from ...environments.states.rows import quoted
from .base import AuditContext, Trial
from .dropping import AGAIN, FAILED, SAME, SPELLED, Dropped
from .edits import EndState
from .shrinking import shortest_calls
from .spelling import spelled_otherwise
from .sql_literals import equalities

_LIMITS = Limits(calls=100_000)
KIND = "something done besides"
_MOST_EFFECTS = 16
_EFFECTS = 3
"""Effects of one tool under one entry of `allow` that are judged, until one passes."""
_TRIES = 10
"""Calls of one tool under one entry of `allow`, until they have had effects enough."""
_VALUES = 40


class Extras(NamedTuple):
    """`untried` counts tools and entries of `allow` that a bound left untried."""

    trials: list[Trial]
    dropped: list[Dropped]
    untried: int


def extra_effects(context: AuditContext) -> Extras:
    """Gold's end after one more call, where the call succeeds and changes what counts."""
    found = Extras([], [], 0)
    with context.environment.open(context.task, limits=_LIMITS) as episode:
        run = run_gold(context.environment, context.task, until=len(context.task.gold) - 1, episode=episode)
        if not run.ok:
            return found
        random, seen = Random(context.seed), set[str]()
        ways = list(_does_what_is_allowed(context))
        for number, (allow, name, plan, option) in enumerate(ways):
            if len(found.trials) >= _MOST_EFFECTS:
                return found._replace(untried=len(ways) - number)
            arguments = _Arguments(context, plan, allow, option, random)
            found.trials.extend(_tried(context, episode, name, arguments, seen, found.dropped))
    return found


def _tried(
    context: AuditContext, episode: Episode, tool: str, arguments: _Arguments, seen: set[str], dropped: list[Dropped]
) -> list[Trial]:
    """The ends after calls of a tool that lead elsewhere, each from gold's end."""
    found, copy = list[Trial](), episode.fork()
    try:
        for _ in range(_TRIES):
            args = arguments.draw()
            if args is None:
                continue
            known = repr((tool, args)) in seen
            seen.add(repr((tool, args)))
            if known or not copy.call(tool, **args).ok:
                dropped.append(Dropped(KIND, f"{tool} after gold", AGAIN if known else FAILED))
                continue
            trial = _judged(context, context.state(copy.final_image(), copy.changes()), tool, args)
            if isinstance(trial, str):
                dropped.append(Dropped(KIND, f"{tool} after gold", trial))
            else:
                found.append(trial)
                if len(found) == _EFFECTS or not trial.killed:
                    break
            copy.close()
            copy = episode.fork()
    finally:
        copy.close()
    return found


def _judged(context: AuditContext, state: EndState, tool: str, args: dict[str, Any]) -> Trial | str:
    """The end after one more call, or the rule where it does not count; a survivor comes with the fewest calls that
    survive."""
    if state.signature == context.gold.signature:
        return SAME
    submission = context.gold.submission
    trial = Trial({"kind": KIND, "call": tool, "args": args}, context.judge(state.image, state.changes, submission))
    if trial.killed or submission is None:
        return trial
    if spelled_otherwise(context, state):
        return SPELLED
    sent = [*((step.call, step.args) for step in context.gold.steps), (tool, args)]
    return trial._replace(shown={**trial.shown, "shortest": shortest_calls(context, sent, submission)})


def _does_what_is_allowed(context: AuditContext) -> Iterator[tuple[Allow, str, Plan, tuple[str, ...]]]:
    """Tools of the actor's that may do what an entry allows, with the optional parameter that is given besides: none,
    then each that has the name of an allowed column."""
    for allow in context.task.verifier.allow:
        for name, plan in context.environment.plans.items():
            if plan.admits(context.task.actor.roles) and _does(plan, allow):
                optional = [each for each in plan.tool.params if each not in plan.tool.required]
                yield allow, name, plan, ()
                yield from ((allow, name, plan, (each,)) for each in optional if each in allow.columns)


def _does(plan: Plan, allow: Allow) -> bool:
    """Whether a tool may do what an entry allows."""
    writes = {write for step in plan.steps if isinstance(step, Change) for write in step.statement.writes}
    own = [write for write in writes if write.table == allow.table]
    if allow.key is not None:
        return any(write.column in allow.columns for write in own)
    wanted = "insert" if allow.insert is not None else "delete"
    return any(write.op == wanted for write in own)


class _Arguments:
    """Arguments for a tool, with the optional ones named: what the entry's condition asks for, else what the world
    holds."""

    def __init__(
        self, context: AuditContext, plan: Plan, allow: Allow, optional: tuple[str, ...], random: Random
    ) -> None:
        self._context = context
        given = {*plan.tool.required, *optional}
        self._params = {name: param for name, param in plan.tool.params.items() if name in given}
        self._table = allow.table
        limit = allow.insert or allow.delete
        self._wanted = {**(allow.key or {}), **(equalities(limit.where, {}) if limit and limit.where else {})}
        self._random = random

    def draw(self) -> dict[str, Any] | None:
        """Some choice; None where a parameter has none."""
        options = self._options
        if not all(options.values()):
            return None
        return {name: self._random.choice(values) for name, values in options.items()}

    @cached_property
    def _options(self) -> dict[str, list[Any]]:
        return {name: self._values(name, param) for name, param in self._params.items()}

    def _values(self, name: str, param: Param) -> list[Any]:
        if param.items is not None:
            return [[value] for value in self._values(name, param.items)]
        if param.ref is not None:
            table, _, column = param.ref.partition(".")
            if table == self._table and column in self._wanted:
                return [self._wanted[column]]
            found = self._column(table, column)
        elif param.enum is not None:
            found = list(param.enum)
        else:
            found = self._named(name, param) or _made_up(param, self._context.environment.spec.clock)
        if name in self._wanted and _fits(param, self._wanted[name]):
            return [self._wanted[name]]
        return found

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
