"""An aggregate over rows that a join repeats.

Stands for totals that grow with the number of items: `sum(o.total)` over orders joined to their items counts each
order once an item. Sums, counts and averages of a source are wrong when a join may give several rows for each of its
rows. DISTINCT aggregates, min and max do not care.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import Query
from ...tester.trees import Tables
from ..reading.base import Context, again, finding
from ..reading.multiplicity import alias_of, own_aggregates, unsettled

KIND = "join_multiplies"
_SENSITIVE = (exp.Sum, exp.Avg, exp.Count, exp.GroupConcat, exp.JSONArrayAgg)


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        for select in query.tree.find_all(exp.Select) if query.tree is not None else ():
            yield from _check(query, select, context.anatomy.tables)


def _check(query: Query, select: exp.Select, tables: Tables) -> Iterator[Finding]:
    for aggregate in own_aggregates(select):
        owner = _source_of(aggregate, select, tables)
        if owner is None or not isinstance(aggregate, _SENSITIVE) or aggregate.find(exp.Distinct) is not None:
            continue
        repeating = unsettled(select, tables, owner)
        if repeating and all(source.table is not None for source in repeating):
            said = (
                f"{aggregate.sql(dialect='sqlite')} counts rows of {owner} once for each row of {repeating[0].alias}"
            )
            yield finding(KIND, "major", query.where, f"{query.tool}: {said}.", probe=again(KIND), sql=query.sql)


def _source_of(aggregate: exp.Expr, select: exp.Select, tables: Tables) -> str | None:
    """The one source whose columns are aggregated; None if there are several, or none (count(*))."""
    columns = [column for column in aggregate.find_all(exp.Column) if column.find_ancestor(exp.Select) is select]
    found = {alias for column in columns if (alias := alias_of(column, select, tables)) is not None}
    return found.pop() if len(found) == 1 else None
