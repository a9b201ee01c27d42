"""The columns on which it depends whether a tool refuses a call, and what it writes."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .anatomy import Anatomy
from .queries import Query
from .trees import ColumnPlace, place_of


def deciding_columns(anatomy: Anatomy, tool: str) -> frozenset[ColumnPlace]:
    """Columns that guards, scopes and writes read, and those behind the names that they bind."""
    queries = [query for query in anatomy.queries[tool] if query.kind in ("scope", "require", "do")]
    return frozenset(place for query in queries for place in _places(anatomy, query))


def _places(anatomy: Anatomy, query: Query) -> Iterator[ColumnPlace]:
    if query.tree is None:
        return
    yield from _columns(anatomy, query.tree)
    names = anatomy.names[query.tool]
    for bound in query.names:
        for behind in names.behind(bound):
            expression = names.expression(behind)
            if expression is not None:
                yield from _columns(anatomy, expression)


def _columns(anatomy: Anatomy, tree: exp.Expr) -> Iterator[ColumnPlace]:
    """Columns read in a tree; those that an UPDATE only sets are left out."""
    for column in tree.find_all(exp.Column):
        set_here = isinstance(column.parent, exp.EQ) and isinstance(column.parent.parent, exp.Update)
        place = place_of(column, anatomy.tables)
        if place is not None and not (set_here and column.arg_key == "this"):
            yield place
