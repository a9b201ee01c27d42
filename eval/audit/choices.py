"""What somebody might do instead: another tool, another argument, another row than gold took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from ...environments.canonical import canonical_json
from ...environments.models import CallStep, Param, PickStep
from ...environments.states.rows import quoted
from .base import AuditContext
from .hints import Hints, hints_of
from .siblings import likeness, near_values

SWAPPED, CHANGED = "argument swapped", "argument changed"
_SIBLINGS = 2
_OTHER_TOOLS = 3


def other_tools(context: AuditContext, step: CallStep, random: Random) -> list[tuple[str, dict[str, Any]]]:
    """Other tools that write, that the actor may call and that need no argument which the step does not have."""
    environment, roles = context.environment, context.task.actor.roles
    if not environment.writes(step.call):
        return []
    fitting = [
        (name, {key: value for key, value in step.args.items() if key in plan.tool.params})
        for name, plan in environment.plans.items()
        if plan.writes and name != step.call and plan.admits(roles) and set(plan.tool.required) <= set(step.args)
    ]
    found = [(name, args) for name, args in fitting if args]
    random.shuffle(found)
    return found[:_OTHER_TOOLS]


def other_arguments(
    context: AuditContext, index: int, step: CallStep, random: Random
) -> Iterator[tuple[str, str, Any]]:
    """(kind, argument, value): a sibling entity or another option in its place, or a value near its own."""
    params = context.environment.params(step.call)
    sent = next((call.args for call in context.gold.steps if call.step == index), {})
    for name, value in sent.items():
        if name not in params or name not in step.args:
            continue
        if isinstance(value, list):
            swapped: Iterable[Any] = _list_swaps(context, params[name], value, random)
        else:
            swapped = _siblings(context, name, params[name], value, random)
        yield from ((SWAPPED, name, other) for other in swapped)
        if params[name].enum is None:
            hints = [hint for hint in context.once(_hints).get(name, ()) if hint != value]
            near = near_values(value) if params[name].ref is None else ()
            others = [other for other in (*hints, *near) if type(other) is type(value)]
            yield from ((CHANGED, name, other) for other in dict.fromkeys(others))


def _hints(context: AuditContext) -> Hints:
    return hints_of(context.task.verifier)


def _list_swaps(context: AuditContext, param: Param, value: list[Any], random: Random) -> Iterator[list[Any]]:
    if len(value) > 1:
        yield value[1:]
    if param.items is not None and value:
        for other in _siblings(context, "", param.items, value[0], random):
            if other not in value:
                yield [other, *value[1:]]


def _siblings(context: AuditContext, name: str, param: Param, value: Any, random: Random) -> list[Any]:
    if param.enum is not None:
        found = [other for other in param.enum if other != value]
    elif param.ref is not None:
        table, _, column = param.ref.partition(".")
        return _entities(context, table, column, value, random)
    else:
        owners = (table.name for table in context.environment.tables().values() if name in table.by_name)
        found = [other for table in owners for other in _column_values(context, table, name, value)]
        found = [other for other in found if type(other) is type(value)]
    random.shuffle(found)
    return found[:_SIBLINGS]


def _entities(context: AuditContext, table: str, column: str, value: Any, random: Random) -> list[Any]:
    """Other rows to refer to: the one that has most in common with the row of `value`, and any."""
    columns = context.environment.tables()[table].stored
    names = ", ".join(map(quoted, columns))
    rows = context.reader.query(f"SELECT {names} FROM before.{quoted(table)} ORDER BY {quoted(column)} LIMIT 500")
    entities = [dict(zip(columns, row, strict=True)) for row in rows]
    own = next((entity for entity in entities if entity.get(column) == value), None)
    if own is None:
        return []
    return _one_alike(own, [entity for entity in entities if entity is not own], column, random)


def _one_alike(own: Mapping[str, Any], others: list[dict[str, Any]], column: str, random: Random) -> list[Any]:
    random.shuffle(others)
    alike = max(others, key=lambda other: likeness(own, other), default=None)
    ordered = [*([alike] if alike else []), *(other for other in others if other is not alike)]
    return [other[column] for other in ordered[:_SIBLINGS]]


def _column_values(context: AuditContext, table: str, column: str, value: Any) -> list[Any]:
    """Other values of a seed column that holds `value`; empty if it does not hold it."""
    sql = f'SELECT DISTINCT "{column}" FROM before."{table}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 500'
    values = [found for (found,) in context.reader.query(sql)]
    return [other for other in values if other != value] if value in values else []


def other_rows(context: AuditContext, index: int, pick: PickStep, random: Random) -> list[dict[str, Any]]:
    """What gold might have picked instead of what it did: of the rows that it saw, the one that has most in common
    with the picked one, and any."""
    chosen = next((pick.value for pick in context.gold.chosen if pick.step == index), None)
    if not isinstance(chosen, Mapping):
        return []
    names = sorted(chosen)
    seen = {
        canonical_json(row): row
        for call in context.gold.steps
        if call.step < index
        for row in _rows(call.result.value, set(chosen))
    }
    rows = [seen[key] for key in sorted(seen)]
    own = next((row for row in rows if all(row[name] == chosen[name] for name in names)), chosen)
    cut = {canonical_json({name: row[name] for name in names}): row for row in reversed(rows)}
    others = [row for row in cut.values() if any(row[name] != chosen[name] for name in names)]
    random.shuffle(others)
    others.sort(key=lambda row: -likeness(own, row))
    picked = [*others[:1], *random.sample(others[1:], min(_SIBLINGS - 1, len(others) - 1))] if others else []
    return [{name: row[name] for name in names} for row in picked]


def _rows(value: Any, columns: set[str]) -> Iterator[dict[str, Any]]:
    """Objects anywhere in a result that have these columns."""
    if isinstance(value, Mapping):
        if columns <= set(value):
            yield dict(value)
        for inner in value.values():
            yield from _rows(inner, columns)
    elif isinstance(value, list):
        for inner in value:
            yield from _rows(inner, columns)
