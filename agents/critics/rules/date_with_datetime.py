"""A date compared with a date and time as they are.

Stands for the forgotten `date(…)`: `starts_at = :on_date` is never true, `starts_at <= :until` leaves out the whole
last day, since '2026-03-06 19:30:00' sorts after '2026-03-06'. Told from the parameter's format and the seed's
values.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.conditions import comparison
from ...tester.fuzzing.moments import form_of
from ...tester.names import Names
from ...tester.queries import Query
from ...tester.trees import place_of
from ..reading.base import Context, again, finding

KIND = "date_with_datetime"
_WRONG = ("=", "<=", ">")


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        for node in query.tree.find_all(exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE) if query.tree is not None else ():
            yield from _check(context, query, node)


def _check(context: Context, query: Query, node: exp.Expr) -> Iterator[Finding]:
    found = comparison(node, isinstance(node.parent, exp.Not))
    names = context.anatomy.names[query.tool]
    for each in (found, found.flipped()) if found is not None else ():
        if each.operator in _WRONG and _is_date(each.right, names) and _is_datetime(context, each.left):
            said = f"{each.left.sql(dialect='sqlite')} {each.operator} {each.right.sql(dialect='sqlite')}"
            message = f"{query.tool} compares a date and time with a date: {said}."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _is_date(node: exp.Expr, names: Names) -> bool:
    origin = names.origin(node)
    if not isinstance(origin, exp.Placeholder):
        return False
    return origin.name == "today" or (origin.name in names.params and names.params[origin.name].format == "date")


def _is_datetime(context: Context, node: exp.Expr) -> bool:
    place = place_of(node, context.anatomy.tables)
    if place is None:
        return False
    sql = f'SELECT "{place.column}" FROM "{place.table}" WHERE "{place.column}" IS NOT NULL LIMIT 1'
    rows = context.anatomy.seed_rows(sql)
    return bool(rows) and form_of(rows[0][0]) == "date-time"
