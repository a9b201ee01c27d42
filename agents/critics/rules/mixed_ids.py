"""An id of one table compared with, or stored as, an id of another.

Stands for the wrong column and the wrong join: `b.table_id = :booking_id`, `ON t.id = b.person_id`. It is told from
foreign keys and the `ref` of parameters, through `let`s. Ids start at uneven offsets, so such a comparison is
almost never true by luck and never true on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.domains import Domains
from ...tester.names import Names
from ...tester.queries import Query
from ...tester.trees import assignments
from ..reading.base import Context, again, finding

KIND = "mixed_ids"
_Pair = tuple[exp.Expr, exp.Expr]


def check(context: Context) -> Iterator[Finding]:
    anatomy = context.anatomy
    for query in anatomy.all_queries():
        names = anatomy.names[query.tool]
        yield from _compared(query, names, anatomy.domains)
        yield from _assigned(query, names, anatomy.domains)


def _compared(query: Query, names: Names, domains: Domains) -> Iterator[Finding]:
    for left, right in _pairs(query):
        one, other = domains.of(left, names), domains.of(right, names)
        if one is not None and other is not None and one != other:
            said = f"{left.sql(dialect='sqlite')} ({one}) with {right.sql(dialect='sqlite')} ({other})"
            yield _finding(query, f"{query.tool} compares {said}.")


def _pairs(query: Query) -> Iterator[_Pair]:
    if query.tree is None:
        return
    for node in query.tree.find_all(exp.EQ, exp.NullSafeEQ, exp.NEQ, exp.NullSafeNEQ):
        if not isinstance(node.parent, exp.Update):
            yield node.this, node.expression
    for among in query.tree.find_all(exp.In):
        listed = among.args.get("query")
        yield from ((among.this, item) for item in ([listed] if listed is not None else among.expressions))


def _assigned(query: Query, names: Names, domains: Domains) -> Iterator[Finding]:
    for table, column, value in assignments(query.tree):
        one, other = domains.of_column(table, column), domains.of(value, names)
        if one is not None and other is not None and one != other:
            said = f"{table}.{column} ({one}) from {value.sql(dialect='sqlite')} ({other})"
            yield _finding(query, f"{query.tool} sets {said}.")


def _finding(query: Query, message: str) -> Finding:
    return finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
