"""Rows that are the first of several by an order: which one is meant must be said by a phrase.

Where gold picks by `ORDER BY … LIMIT 1`, and what it picks is asserted by the verifier or handed in, a phrase means that
row: one declared `first` or `one` the row or one a reference away, a `set` the row itself ("take the oldest first"). A
request that says "a table" leaves the choice. Left out: groups ("who has most to do"), and what is picked after
something was written, which no phrase about the seed state can mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from sqlglot import exp

from ...environments.models import CallStep, PickStep
from ..sql_trees import parsed
from .base import AuditContext
from .known_values import linked_values, row_values, scalars
from .language import is_day
from .resolving import Resolved
from .sources import verifier_constants
from .sql_literals import listed_constants


class UnsaidFirst(NamedTuple):
    """A pick of the first row that no phrase means, and the value it picks."""

    pick: str
    value: Any


def unsaid_firsts(context: AuditContext, phrases: list[Resolved]) -> list[UnsaidFirst]:
    """Picks of a first row that counts, and that no phrase means."""
    picked = [pick for pick in _picked(context) if pick.value is not None]
    # Rows with a key of several columns are not followed: what they hold is not known here.
    if not picked or any(phrase.ids and phrase.table is None for phrase in phrases):
        return []
    asserted, meant = set(_asserted(context)), set(_meant(context, phrases))
    return [pick for pick in picked if pick.value in asserted and pick.value not in meant]


@lru_cache(maxsize=1024)
def takes_first(sql: str) -> bool:
    """Whether a query orders rows, no groups, and takes the first."""
    tree = parsed(sql)
    if tree is None:
        return False
    if tree.args.get("order") is None or tree.args.get("group") is not None or tree.args.get("offset") is not None:
        return False
    limit = tree.args.get("limit")
    return isinstance(limit, exp.Limit) and limit.expression.name == "1"


def _picked(context: AuditContext) -> Iterator[UnsaidFirst]:
    chosen = {pick.step: pick for pick in context.gold.chosen}
    for index, step in enumerate(context.task.gold):
        if isinstance(step, CallStep) and context.environment.writes(step.call):
            return
        if isinstance(step, PickStep) and not step.many and index in chosen and takes_first(step.sql):
            yield UnsaidFirst(step.pick, next(iter(chosen[index].value.values()), None))


def _asserted(context: AuditContext) -> Iterator[Any]:
    yield from (constant.value for _, constant in verifier_constants(context))
    if context.gold.submission is not None:
        yield from scalars(context.gold.submission.answer)


def _meant(context: AuditContext, phrases: list[Resolved]) -> Iterator[Any]:
    for phrase in phrases:
        yield from phrase.ids
        if phrase.table is not None and context.task.grounding[phrase.phrase].expect != "set":
            for id in phrase.ids:
                yield from row_values(context, phrase.table, id)
                yield from linked_values(context, phrase.table, id)


def unseen_firsts(context: AuditContext, phrases: list[Resolved]) -> list[str]:
    """Phrases declared `first` whose row gold neither passes, names nor is shown: what is asked of it is not done."""
    firsts = [
        one for one in phrases if context.task.grounding[one.phrase].expect == "first" and one.table is not None
    ]
    if not firsts:
        return []
    seen = {value for call in context.gold.steps for value in (*scalars(call.args), *scalars(call.result.value))}
    return [one.phrase for one in firsts if one.ids and seen.isdisjoint(_marks(context, one.table or "", one.ids[0]))]


def _marks(context: AuditContext, table: str, id: Any) -> set[Any]:
    """What may tell a row in results: its values, and the texts of rows a reference away, but for days and what tables
    list."""
    tables = context.environment.tables().values()
    listed = {0, 1, ""}.union(*(listed_constants(one.sql) for one in tables))
    around = {value for value in linked_values(context, table, id) if isinstance(value, str)}
    return {value for value in around.union(row_values(context, table, id)) - listed if not is_day(value)}
