"""Values that a task makes known: of the rows that it is about, of what gold reads, and of the environment's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...environments.models import CallStep, Do, Let, Param, Require
from ...environments.plans import Plan
from ...environments.values import leaves
from .base import AuditContext
from .resolving import Resolved
from .sql_literals import listed_constants, plain_constants

_MOST_LINKED = 50


def values_of_phrases(context: AuditContext, phrases: Iterable[Resolved]) -> Iterator[Any]:
    """Values of the rows that phrases mean and of the actor's, how many rows a phrase means, and the world's now."""
    for phrase in phrases:
        yield len(phrase.ids)
        for id in phrase.ids if phrase.table else ():
            yield from row_values(context, phrase.table or "", id)
    yield from scalars(context.environment.spec.clock)
    actor = context.task.actor
    yield from row_values(context, context.environment.actor_table(actor), actor.id)


def linked_to_phrases(context: AuditContext, phrases: Iterable[Resolved]) -> Iterator[Any]:
    """Values of the rows one reference away from those that phrases mean."""
    for phrase in phrases:
        for id in phrase.ids if phrase.table else ():
            yield from linked_values(context, phrase.table or "", id)


def values_of_passed_rows(context: AuditContext) -> Iterator[Any]:
    """Values of the rows that gold found and passed to a call, and of those one reference away."""
    for table, id in _passed(context):
        yield from row_values(context, table, id)
        yield from linked_values(context, table, id)


def environment_constants(context: AuditContext) -> Iterator[Any]:
    """The glossary's constants, those that the tables list, and those of the tools that gold calls."""
    for condition in context.environment.spec.glossary.values():
        yield from plain_constants(condition)
    for table in context.environment.tables().values():
        yield from listed_constants(table.sql)
    for name in {step.call for step in context.task.gold if isinstance(step, CallStep)}:
        if name in context.environment.plans:
            yield from _tool_constants(context.environment.plans[name])


def row_values(context: AuditContext, table: str, id: Any) -> Iterator[Any]:
    """The values of a row of the seed state."""
    info = context.environment.tables()[table]
    where = {name: id for name in info.primary_key[:1]}
    yield from _flat(context.reader.before.select(table, info.stored, where))


def linked_values(context: AuditContext, table: str, id: Any) -> Iterator[Any]:
    """Values of the rows that a row refers to, and of those that refer to it."""
    tables, select = context.environment.tables(), context.reader.before.select
    key = tables[table].primary_key[0]
    for column in tables[table].columns:
        if column.references is not None:
            parent, _, target = column.references.partition(".")
            for (value,) in select(table, (column.name,), {key: id}):
                yield from _flat(select(parent, tables[parent].stored, {target: value}))
    for other in tables.values():
        for column in other.columns:
            if column.references == f"{table}.{key}":
                yield from _flat(select(other.name, other.stored, {column.name: id})[:_MOST_LINKED])


def _flat(rows: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    return (value for row in rows for cell in row for value in scalars(cell))


def _passed(context: AuditContext) -> Iterator[tuple[str, Any]]:
    """Rows (table, key) that one of gold's calls returned and a later one took as an argument."""
    keys, tables = set[Any](), context.environment.tables()
    for call in context.gold.steps:
        params = context.environment.params(call.call)
        for name, value in call.args.items():
            ref = references(params[name]) if name in params else None
            table, _, column = (ref or "").partition(".")
            if ref is not None and tables[table].primary_key == (column,):
                yield from ((table, id) for id in scalars(value) if id in keys)
        keys |= set(scalars(call.result.value))


def references(param: Param) -> str | None:
    """The `table.column` that a parameter, or each of its items, refers to."""
    return param.ref or (param.items.ref if param.items is not None else None)


def returned(context: AuditContext, until: int | None = None) -> Iterator[Any]:
    """What gold's calls returned, without what gold had written before; `until`: those before that step (from 0)."""
    written: set[Any] = set()
    for call in context.gold.steps:
        if until is not None and call.step >= until:
            return
        if context.environment.writes(call.call):
            written |= set(scalars(call.args))
        yield from (value for value in scalars(call.result.value) if value not in written)


def scalars(value: Any) -> Iterator[Any]:
    """The scalars in a result; of a datetime its date and its time as well."""
    for leaf in leaves(value):
        yield leaf
        if isinstance(leaf, str) and len(leaf) == 19 and leaf[10] == " ":
            yield from (leaf[:10], leaf[11:16], leaf[11:])


def _tool_constants(plan: Plan) -> Iterator[Any]:
    for param in plan.tool.params.values():
        yield from param.enum or ()
        if param.default is not None:
            yield param.default
    for step in plan.tool.steps:
        for sql in _texts(step):
            yield from plain_constants(sql)


def _texts(step: Let | Require | Do) -> list[str]:
    if isinstance(step, Require):
        return [step.require]
    if isinstance(step, Do):
        return [step.do]
    return [source if isinstance(source, str) else source.row for source in step.let.values()]
