"""A column that takes, or shows, what another column of its table is named for.

Stands for the wrong column: `SET note = :title` in a table that has a title, `starts_at AS ends_at` in a result
or look-up. Only exact names count.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.names import Names
from ...tester.queries import RESULTS, Query
from ...tester.trees import assignments, place_of, unwrapped
from ..reading.base import Context, again, finding

KIND = "crossed_columns"


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        if query.kind == "do":
            yield from _stored(context, query, context.anatomy.names[query.tool])
        elif query.kind in (*RESULTS, "row"):
            yield from _shown(context, query)


def _stored(context: Context, query: Query, names: Names) -> Iterator[Finding]:
    parts = list(assignments(query.tree))
    for table, column, value in parts:
        name = _taken(value, names)
        if name is None or name == column or name not in context.anatomy.tables[table].by_name:
            continue
        if column in names.params or not any(part.column == name for part in parts):
            message = f"{query.tool} stores {name} in {table}.{column}, though {table} has a column {name}."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _taken(value: exp.Expr, names: Names) -> str | None:
    """The parameter that a value is, as it is or if it was given."""
    plain = unwrapped(value)
    if isinstance(plain, exp.Coalesce):
        plain = unwrapped(plain.this)
    origin = names.origin(plain)
    if isinstance(origin, exp.Coalesce):
        origin = unwrapped(origin.this)
    return origin.name if isinstance(origin, exp.Placeholder) and origin.name in names.params else None


def _shown(context: Context, query: Query) -> Iterator[Finding]:
    for selected in query.tree.selects if isinstance(query.tree, exp.Select) else ():
        if not isinstance(selected, exp.Alias) or not isinstance(selected.this, exp.Column):
            continue
        place = place_of(selected.this, context.anatomy.tables)
        alias = selected.alias.lower()
        if place is not None and alias != place.column and alias in context.anatomy.tables[place.table].by_name:
            message = f"{query.tool} shows {place.table}.{place.column} as {alias}, which is another of its columns."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
