"""Calls with a filter exactly at the value of some row: is the row in or out?"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ....environments.models import Expectation, Probe
from ...tester.queries import Query
from ...tester.trees import ColumnPlace, place_of
from .base import Context
from .conditions import Operator


def output_column(context: Context, query: Query, place: ColumnPlace) -> str | None:
    """The result's column that shows a column of the schema as it is."""
    if not isinstance(query.tree, exp.Select):
        return None
    for selected in query.tree.selects:
        inner = selected.this if isinstance(selected, exp.Alias) else selected
        if isinstance(inner, exp.Column) and place_of(inner, context.anatomy.tables) == place:
            return str(selected.alias_or_name)
    return None


def boundary_probe(context: Context, query: Query, param: str, place: ColumnPlace, said: Operator) -> Probe | None:
    """A call with `param` at the value of a row that the tool shows without it. Where the words include the
    boundary the row must stay, where they exclude it the row must go. None if no call could be made."""
    column = output_column(context, query, place)
    if column is None:
        return None
    tool = context.anatomy.tools[query.tool]
    page = {"limit": tool.page.max} if tool.page is not None else {}
    free = frozenset(tool.params) - set(tool.required) | {"offset"}
    shown = context.trials.through(
        tool, fixed=page, without=free, accept=lambda done: _values(done.result.value, column) != []
    )
    if shown is None or len(_values(shown.outcome.result.value, column)) >= (tool.page.max if tool.page else 1_000):
        return None
    values = _values(shown.outcome.result.value, column)
    value = values[len(values) // 2]
    args = {**shown.step.args, param: value}
    test = "EXISTS" if said in (">=", "<=") else "NOT EXISTS"
    literal = exp.convert(value).sql(dialect="sqlite")
    return Probe(
        calls=(shown.step.probe_call().model_copy(update={"args": args}),),
        expect=(Expectation(result=f'SELECT {test} (SELECT 1 FROM result WHERE "{column}" = {literal})'),),
    )


def _values(result: Any, column: str) -> list[Any]:
    items = result.get("items", []) if isinstance(result, dict) else []
    return [item[column] for item in items if isinstance(item.get(column), int | float | str)]
