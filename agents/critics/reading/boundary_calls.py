"""Calls with a filter exactly at the value of some row: is the row in or out?"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ....environments.models import Expectation, Probe
from ...tester.conditions import Operator
from ...tester.queries import Query
from ...tester.trees import ColumnPlace, place_of
from .base import Context


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
    """A call with `param` at the value of a row that the tool shows without it. Where the words include the boundary
    the row must stay, where they exclude it the row must go, and no row beyond it may be shown. None if no call could
    be made."""
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
    values = sorted(set(_values(shown.outcome.result.value, column)))
    call = shown.step.probe_call()
    value = values[len(values) // 2]
    return Probe(
        calls=(call.model_copy(update={"args": {**call.args, param: value}}),),
        expect=(Expectation(result=_at_boundary(column, said, exp.convert(value).sql(dialect="sqlite"))),),
    )


def _at_boundary(column: str, said: Operator, value: str) -> str:
    stays = "EXISTS" if said in (">=", "<=") else "NOT EXISTS"
    return (
        f'SELECT {stays} (SELECT 1 FROM result WHERE "{column}" = {value})'
        f' AND NOT EXISTS (SELECT 1 FROM result WHERE NOT ("{column}" {said} {value}))'
    )


def _values(result: Any, column: str) -> list[Any]:
    items = result.get("items", []) if isinstance(result, dict) else []
    found = [item.get(column) for item in items]
    return [value for value in found if isinstance(value, type(found[0])) and isinstance(value, int | float | str)]
