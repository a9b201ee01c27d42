"""An UPDATE or DELETE that no value of the call narrows down.

Stands for the forgotten WHERE: cancelling one booking cancels all of them. A statement without WHERE is a fault by
itself; one whose WHERE names only constants is a doubt, since nightly clean-ups look like that.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import Query, bound_names
from ..reading.base import Context, again, finding

KIND = "write_without_key"
_CLOCK = frozenset({"now", "today"})


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        if query.kind == "do" and isinstance(query.tree, exp.Update | exp.Delete):
            yield from _check(query, query.tree)


def _check(query: Query, tree: exp.Update | exp.Delete) -> Iterator[Finding]:
    table, where = tree.this.name, tree.args.get("where")
    verb = "updates" if isinstance(tree, exp.Update) else "deletes"
    if where is None:
        message = f"{query.tool} {verb} every row of {table}: the statement has no WHERE."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
    elif not bound_names(where) - _CLOCK and not list(where.find_all(exp.Subquery, exp.Exists)):
        message = f"{query.tool} {verb} rows of {table} by constants only: {where.this.sql(dialect='sqlite')}."
        yield finding(KIND, "minor", query.where, message, sql=query.sql)
