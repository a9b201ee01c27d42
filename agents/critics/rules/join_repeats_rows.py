"""A list that a join repeats, with nothing to show for it.

Stands for a table joined by mistake, or for EXISTS meant and JOIN written: people joined to their cards come once a
card. A list is flagged where a joined table may give several rows for one of what is listed and none of its columns
is shown, or grouped or sorted by; DISTINCT and GROUP BY settle it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import Query
from ...tester.trees import Tables, sources
from ..reading.base import Context, again, finding
from ..reading.multiplicity import alias_of, own_aggregates, unsettled

KIND = "join_repeats_rows"


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        if query.kind == "many" and isinstance(query.tree, exp.Select):
            yield from _check(query, query.tree, context.anatomy.tables)


def _check(query: Query, select: exp.Select, tables: Tables) -> Iterator[Finding]:
    if select.args.get("distinct") or select.args.get("group") or own_aggregates(select):
        return
    listed, shown = sources(select, tables)[:1], _shown(select, tables)
    if not listed or listed[0].table is None or listed[0].alias not in shown:
        return
    for source in unsettled(select, tables, listed[0].alias):
        if source.table is not None and source.alias not in shown and not _unsure(source.alias, select, tables):
            message = (
                f"{query.tool} lists {listed[0].table} once for each row of {source.table}, and shows none of them."
            )
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
            return


def _shown(select: exp.Select, tables: Tables) -> frozenset[str]:
    """The sources whose columns are in the result."""
    columns = [column for selected in select.selects for column in selected.find_all(exp.Column)]
    return frozenset(alias for column in columns if (alias := alias_of(column, select, tables)) is not None)


def _unsure(alias: str, select: exp.Select, tables: Tables) -> bool:
    """Whether a condition other than the joining equalities speaks of the source: it may pick one row."""
    for column in select.find_all(exp.Column):
        inside = column.find_ancestor(exp.Subquery, exp.Exists) is not None
        plain = isinstance(column.parent, exp.EQ) and column.find_ancestor(exp.Join) is not None
        if not inside and not plain and alias_of(column, select, tables) == alias:
            return True
    return False
