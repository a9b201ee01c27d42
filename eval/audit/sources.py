"""Where the constants of a verifier, and those of gold, come from.

A verifier's constant must be said by the instruction, or be one of the glossary's, of a grounded row's values, of what
CHECK and DEFAULT clauses list (the bounds of a CHECK are no values), of the constants in the tools that gold calls, or
of these:
- values of rows that gold found and passed to a call; and of rows one reference away from those and from grounded
  ones: what is done to an order is done to its lines;
- values that gold's executed calls returned: what a look-up shows on the way (the slot of a table, the price of an
  item) is named by no phrase, and yet the actor reads it. What gold itself wrote is no source when it is read back;
- the actor's row, the world's day, and the number of rows that a phrase means.
0, 1 and the empty text say nothing. Ids of rows made in the episode have no source: only `bind` names them.

Of a constant of gold only what earlier calls returned counts, and no row for having been passed: gold cannot vouch for
itself. A date that the request does not say, while it names another day, must be of a grounded row itself: around a row
there are many. Of a time that is only looked for the day must have a source: people say "the afternoon".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from ...environments.functions import fold
from .base import AuditContext
from .gold_constants import GoldConstant, gold_constants
from .known_values import environment_constants, linked_to_phrases, returned, values_of_passed_rows, values_of_phrases
from .language import Wording, days_within, is_date
from .reach import key_tables
from .resolving import Resolved
from .sql_literals import Compared, Constant, constants, owners

_SAYS_NOTHING = (0, 1, "")
_NOWHERE = "comes from neither the instruction nor a row that the task is about"


class Stray(NamedTuple):
    """A constant without a source, and where it stands."""

    where: str
    value: Any
    problem: str


def stray_constants(context: AuditContext, phrases: Iterable[Resolved]) -> list[Stray]:
    """The constants of the verifier and of gold that come from nowhere."""
    sources = _Sources(context, list(phrases))
    found = [
        Stray(where, constant.value, problem)
        for where, constant in verifier_constants(context)
        if (problem := sources.problem(constant))
    ]
    return found + [
        Stray(constant.where, constant.value, _NOWHERE + ": say it, look it up, or ground the phrase that it is from")
        for constant in gold_constants(context)
        if not sources.vouches(constant)
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


class _Pool:
    """Known values, in which a text may also be a part of another."""

    def __init__(self, values: set[Any]) -> None:
        self.values = values

    def holds(self, value: Any) -> bool:
        if value in self.values or not isinstance(value, str):
            return value in self.values
        part = str(fold(value.strip("%")))
        return any(part in text for text in self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        return [str(fold(value)) for value in self.values if isinstance(value, str)]


class _Sources:
    def __init__(self, context: AuditContext, phrases: list[Resolved]) -> None:
        self._context = context
        self._tables = context.environment.tables()
        self._columns = {name: frozenset(table.stored) for name, table in self._tables.items()}
        self._keys = key_tables(self._tables)
        self._wording = Wording(context.said, context.environment.spec.clock)
        own = {*values_of_phrases(context, phrases), *environment_constants(context)}
        named = own | set(linked_to_phrases(context, phrases))
        self._own, self._named = _Pool(own), _Pool(named)
        self._all = _Pool(named.union(values_of_passed_rows(context), returned(context)))

    def problem(self, constant: Constant) -> str:
        """Why the verifier's constant may not stand there; empty if it may."""
        return self._absent_from_before(constant) or ("" if self._has(constant.value, self._all) else _NOWHERE)

    def vouches(self, constant: GoldConstant) -> bool:
        """Whether gold's constant has a source."""
        if is_date(constant.value):
            return not self._wording.names_day or any(
                self._has(value, self._own)
                for value in (constant.value, *(days_within(constant.value) if constant.looks else ()))
            )
        read = _Pool(set(returned(self._context, constant.step)))
        return any(self._has(value, self._named) or read.holds(value) for value in (constant.value, *constant.bounds))

    def _has(self, value: Any, pool: _Pool) -> bool:
        return value in _SAYS_NOTHING or value in pool.values or self._wording.says(value) or pool.holds(value)

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
