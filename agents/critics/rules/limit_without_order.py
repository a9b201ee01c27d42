"""A LIMIT over rows in no order.

Stands for "the next one", "the oldest", "the cheapest" that are whichever row SQLite comes upon: right in the seed,
wrong after the next insert. Existence tests, single rows by key and aggregates do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ..reading.base import Context, again, finding
from ..reading.multiplicity import single_row

KIND = "limit_without_order"


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        for select in query.tree.find_all(exp.Select) if query.tree is not None else ():
            if select.args.get("limit") is None or select.args.get("order") is not None:
                continue
            if not isinstance(select.parent, exp.Exists) and not single_row(select, context.anatomy.tables):
                message = f"{query.tool} takes the first rows of an unordered query."
                yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
