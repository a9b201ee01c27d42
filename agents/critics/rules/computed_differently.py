"""One name for two computations of the same values.

Stands for flipped signs: `amount - committed AS remaining` in one tool and `amount + committed AS remaining` in
another. Results and look-ups are compared where a field has the same name and is computed from the same columns of
the same tables in the same way but for signs. The tools in the minority are named; where one stands against one, both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import RESULTS, Query
from ...tester.trees import place_of, text_of
from ..reading.base import Context, again, finding
from ..reading.minority import unusual

KIND = "computed_differently"
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)


class _Field(NamedTuple):
    """A field's name, the columns and constants that it is computed from, and how, signs aside."""

    name: str
    values: tuple[str, ...]
    shape: str


def check(context: Context) -> Iterator[Finding]:
    computed: dict[_Field, dict[str, list[Query]]] = defaultdict(lambda: defaultdict(list))
    for query in context.anatomy.all_queries():
        for selected in _selected(query):
            values = tuple(sorted(_values(context, selected.this)))
            if selected.this.find(*_ARITHMETIC) is not None and len(values) > 1:
                field = _Field(selected.alias.lower(), values, _shape(selected.this))
                computed[field][text_of(selected.this)].append(query)
    for field, forms in computed.items():
        yield from _compared(field, forms)


def _selected(query: Query) -> Iterator[exp.Alias]:
    if query.kind in (*RESULTS, "row") and isinstance(query.tree, exp.Select):
        yield from (each for each in query.tree.selects if isinstance(each, exp.Alias))


def _values(context: Context, node: exp.Expr) -> Iterator[str]:
    for column in node.find_all(exp.Column):
        place = place_of(column, context.anatomy.tables)
        yield ".".join(place) if place is not None else column.name
    yield from (str(literal.this) for literal in node.find_all(exp.Literal))


def _shape(node: exp.Expr) -> str:
    return text_of(node.transform(_unsigned))


def _unsigned(node: exp.Expr) -> exp.Expr:
    return exp.Add(this=node.this, expression=node.expression) if isinstance(node, exp.Sub) else node


def _compared(field: _Field, forms: dict[str, list[Query]]) -> Iterator[Finding]:
    for form, query in unusual(forms):
        other = next(each for each in forms if each != form)
        message = f"{query.tool} computes {field.name} as {form}, {forms[other][0].tool} as {other}."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
