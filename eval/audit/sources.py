"""Where the constants of a verifier come from.

A constant must be said by the instruction, or be one of the glossary's, of a grounded row's values, of what CHECK and
DEFAULT clauses name, of the constants in the tools that gold calls, or of these:
- values of rows that gold found and passed to a call; and of rows one reference away from those and from grounded
  ones: what is done to an order is done to its lines;
- values that gold's executed calls returned: what a look-up shows on the way (the slot of a table, the price of an
  item) is named by no phrase, and yet the actor reads it. What gold itself wrote is no source when it is read back;
- the actor's row, the world's day, and the number of rows that a phrase means.
0, 1 and the empty text say nothing. Ids of rows made in the episode have no source: only `bind` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...environments.functions import fold
from ...environments.models import CallStep, Do, Let, Param, Require
from ...environments.plans import Plan
from .base import AuditContext
from .language import Wording
from .reach import key_tables
from .resolving import Resolved
from .sql_literals import Compared, Constant, constants, owners, plain_constants

_SAYS_NOTHING = (0, 1, "")
_MOST_LINKED = 50


class Stray(NamedTuple):
    """A constant without a source, and where it stands."""

    where: str
    value: Any
    problem: str


def stray_constants(context: AuditContext, phrases: Iterable[Resolved]) -> list[Stray]:
    """The constants of the verifier that come from nowhere."""
    sources = _Sources(context, list(phrases))
    return [
        Stray(where, constant.value, problem)
        for where, constant in verifier_constants(context)
        if (problem := sources.problem(constant))
    ]


def verifier_constants(context: AuditContext) -> Iterator[tuple[str, Constant]]:
    """Each constant of bind, require, allow and the answer's SQL, with its place."""
    verifier = context.task.verifier
    texts = [(f"bind {name}", sql, "") for name, sql in verifier.bind.items()]
    texts += [(f"require {check.name}", check.sql, "") for check in verifier.require]
    for number, allow in enumerate(verifier.allow):
        limit = allow.insert or allow.delete
        if limit is not None and limit.where is not None:
            texts.append((f"allow {number}", limit.where, allow.table))
        for column, value in (allow.key or {}).items():
            if value is not None:
                yield f"allow {number}", Constant(value, Compared((allow.table,), column))
    if verifier.answer.sql is not None:
        texts.append(("answer", verifier.answer.sql, ""))
    for where, sql, table in texts:
        for constant in constants(sql):
            compared = constant.compared
            if compared is not None and not compared.tables and table:
                constant = Constant(constant.value, Compared((table,), compared.column))
            yield where, constant


class _Sources:
    def __init__(self, context: AuditContext, phrases: list[Resolved]) -> None:
        self._context = context
        self._tables = context.environment.tables()
        self._columns = {name: frozenset(table.stored) for name, table in self._tables.items()}
        self._keys = key_tables(self._tables)
        self._wording = Wording(context.said, context.environment.spec.clock)
        self._values = set(self._known(phrases))
        self._texts = [str(fold(value)) for value in self._values if isinstance(value, str)]

    def problem(self, constant: Constant) -> str:
        """Why the constant may not stand there; empty if it may."""
        value = constant.value
        absent = self._absent_from_before(constant)
        if absent:
            return absent
        if value in _SAYS_NOTHING or value in self._values or self._wording.says(value):
            return ""
        if isinstance(value, str) and any(str(fold(value.strip("%"))) in text for text in self._texts):
            return ""
        return "comes from neither the instruction nor a row that the task is about"

    def _absent_from_before(self, constant: Constant) -> str:
        if constant.compared is None or not isinstance(constant.value, int):
            return ""
        for table in owners(constant.compared, self._columns):
            target = self._keys.get(f"{table}.{constant.compared.column}")
            if target is None:
                continue
            key = self._tables[target].primary_key
            if not self._context.reader.before.select(target, key, {key[0]: constant.value}):
                return f"no row of {target} has this id in the seed state: name new rows with bind"
        return ""

    def _known(self, phrases: list[Resolved]) -> Iterator[Any]:
        context = self._context
        for phrase in phrases:
            yield len(phrase.ids)
            for id in phrase.ids if phrase.table else ():
                yield from self._row(phrase.table or "", id)
                yield from self._linked(phrase.table or "", id)
        for name, id in _passed(context):
            yield from self._row(name, id)
            yield from self._linked(name, id)
        yield context.environment.spec.clock[:10]
        role = context.environment.spec.roles[context.task.actor.roles[0]]
        yield from self._row(role.table, context.task.actor.id)
        yield from _returned(context)
        for condition in context.environment.spec.glossary.values():
            yield from plain_constants(condition)
        for table in self._tables.values():
            yield from plain_constants(table.sql)
        for name in {step.call for step in context.task.gold if isinstance(step, CallStep)}:
            if name in context.environment.plans:
                yield from _tool_constants(context.environment.plans[name])

    def _row(self, table: str, id: Any) -> Iterator[Any]:
        info = self._tables[table]
        for row in self._context.reader.before.select(
            table, info.stored, {name: id for name in info.primary_key[:1]}
        ):
            for value in row:
                yield from scalars(value)

    def _linked(self, table: str, id: Any) -> Iterator[Any]:
        """Values of the rows that a row refers to, and of those that refer to it."""
        key, select = self._tables[table].primary_key[0], self._context.reader.before.select
        for column in self._tables[table].columns:
            if column.references is not None:
                parent, _, target = column.references.partition(".")
                for (value,) in select(table, (column.name,), {key: id}):
                    yield from _flat(select(parent, self._tables[parent].stored, {target: value}))
        for other in self._tables.values():
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


def _returned(context: AuditContext) -> Iterator[Any]:
    """What gold's calls returned, without what gold had written before."""
    written: set[Any] = set()
    for call in context.gold.steps:
        if context.environment.writes(call.call):
            written |= set(scalars(call.args))
        yield from (value for value in scalars(call.result.value) if value not in written)


def scalars(value: Any) -> Iterator[Any]:
    """The scalars in a result; of a datetime its date and its time as well."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from scalars(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scalars(inner)
    elif value is not None:
        yield value
        if isinstance(value, str) and len(value) == 19 and value[10] == " ":
            yield from (value[:10], value[11:16], value[11:])


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
