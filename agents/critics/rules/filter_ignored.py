"""A filter that filters nothing.

Stands for `:status = :status` and for parameters of a list that its query forgot: they are checked, or tested for
NULL, and then all rows come back. Found from the text: the rows that a list returns do not depend on the parameter,
or a condition compares a thing with itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import RESULTS, Query
from ...tester.trees import render
from ..reading.base import Context, again, finding

KIND = "filter_ignored"


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        queries = context.anatomy.queries[name]
        yield from (each for query in queries for each in _selfsame(query))
        result = next((query for query in queries if query.kind == "many"), None)
        if tool.kind == "read" and result is not None:
            yield from _forgotten(context, name, result)


def _selfsame(query: Query) -> Iterator[Finding]:
    for node in (
        query.tree.find_all(exp.EQ, exp.LTE, exp.GTE, exp.LT, exp.GT, exp.NEQ) if query.tree is not None else ()
    ):
        written = isinstance(node.parent, exp.Update)
        if not written and not isinstance(node.this, exp.Literal) and render(node.this) == render(node.expression):
            message = f"{query.tool} compares {render(node.this)} with itself."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _forgotten(context: Context, tool: str, result: Query) -> Iterator[Finding]:
    names = context.anatomy.names[tool]
    used = {
        behind for query in _shaping(context, tool, result) for name in query.names for behind in names.behind(name)
    }
    for name, param in names.params.items():
        everywhere = {each for query in context.anatomy.queries[tool] for each in query.names}
        if name in used or f"given_{name}" in used or name not in everywhere:
            continue  # parameters that nothing uses at all are the compile gate's
        message = (
            f"{tool} checks {name} ({param.description or 'no description'}), but its list does not depend on it."
        )
        yield finding(KIND, "major", f"tools.{tool}.params.{name}", message, probe=again(KIND))


def _shaping(context: Context, tool: str, result: Query) -> Iterator[Query]:
    """The queries that decide which rows come back: the result, and the reference checks' scopes."""
    yield result
    yield from (query for query in context.anatomy.queries[tool] if query.kind in RESULTS and query is not result)
