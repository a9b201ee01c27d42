"""A `one` result that may have several rows, of which the caller sees whichever comes first.

Stands for look-ups by something that is not unique, and for joins that repeat the row. A query that aggregates, or
fixes a unique key of every table it reads, has one row.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ..reading.base import Context, again, finding
from ..reading.multiplicity import single_row, unsettled

KIND = "one_of_many"


def check(context: Context) -> Iterator[Finding]:
    tables = context.anatomy.tables
    for query in context.anatomy.all_queries():
        if query.kind not in ("one", "row") or not isinstance(query.tree, exp.Select):
            continue
        select = query.tree
        if select.args.get("limit") is not None or select.args.get("from_") is None or single_row(select, tables):
            continue
        several = unsettled(select, tables)
        if all(source.table is not None for source in several):
            listed = ", ".join(str(source.table) for source in several)
            message = f"{query.tool} takes one row of a query that may have several: no unique key fixes {listed}."
            yield finding(KIND, "minor", query.where, message, probe=again(KIND), sql=query.sql)
