"""An aggregate over rows that a join repeats.

Stands for totals that grow with the number of items: `sum(o.total)` over orders joined to their items counts each
order once an item. Sums, counts and averages of a source are wrong when a later join may give several rows for each
of its rows. DISTINCT aggregates, min and max do not care.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import Query
from ...tester.trees import Tables, sources
from ..reading.base import Context, again, finding
from ..reading.multiplicity import alias_of, multiplying, own_aggregates

KIND = "join_multiplies"
_SENSITIVE = (exp.Sum, exp.Avg, exp.Count, exp.GroupConcat, exp.JSONArrayAgg)


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        for select in query.tree.find_all(exp.Select) if query.tree is not None else ():
            yield from _check(query, select, context.anatomy.tables)


def _check(query: Query, select: exp.Select, tables: Tables) -> Iterator[Finding]:
    order = [source.alias for source in sources(select, tables)]
    repeats = [source.alias for source in multiplying(select, tables) if source.alias != order[0]]
    for aggregate in own_aggregates(select):
        owner = _source_of(aggregate, select, tables)
        if owner is None or not isinstance(aggregate, _SENSITIVE) or aggregate.find(exp.Distinct) is not None:
            continue
        later = [alias for alias in repeats if order.index(alias) > order.index(owner)]
        if later:
            said = f"{aggregate.sql(dialect='sqlite')} counts rows of {owner} once for each row of {later[0]}"
            yield finding(KIND, "major", query.where, f"{query.tool}: {said}.", probe=again(KIND), sql=query.sql)


def _source_of(aggregate: exp.Expr, select: exp.Select, tables: Tables) -> str | None:
    """The one source whose columns are aggregated; the last of several; None without columns (count(*))."""
    columns = [column for column in aggregate.find_all(exp.Column) if column.find_ancestor(exp.Select) is select]
    order = [source.alias for source in sources(select, tables)]
    found = [alias for column in columns if (alias := alias_of(column, select, tables)) is not None]
    return max(found, key=order.index) if found else None
