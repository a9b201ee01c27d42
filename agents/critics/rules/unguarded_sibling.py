"""A value stored as it comes, which a sibling tool checks before it stores it.

Stands for dropped guards: booking asks that the start is not in the past, moving does not. A doubt always: there may
be a reason why one tool is freer than the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....environments.models import Finding
from ...tester.anatomy import Anatomy
from ...tester.queries import Query
from ...tester.trees import ColumnPlace, assignments
from ..reading.base import Context, finding

KIND = "unguarded_sibling"
_FREE_TYPES = ("string",)


def check(context: Context) -> Iterator[Finding]:
    stored = {name: _stored(context.anatomy, name) for name in context.anatomy.tools}
    guarded = {name: _guarded(context.anatomy, name) for name in context.anatomy.tools}
    for name, places in stored.items():
        for place, params in sorted(places.items()):
            if params & guarded[name] or not params:
                continue
            others = [
                other
                for other, theirs in stored.items()
                if other != name and theirs.get(place, frozenset()) & guarded[other]
            ]
            if others:
                message = (
                    f"{name} stores {', '.join(sorted(params))} in {place.table}.{place.column} as it comes; "
                    f"{', '.join(others)} check it first."
                )
                yield finding(KIND, "minor", f"tools.{name}.params.{min(params)}", message)


def _stored(anatomy: Anatomy, tool: str) -> Mapping[ColumnPlace, frozenset[str]]:
    """The columns that a tool writes from parameters that point at nothing and are no free text."""
    names = anatomy.names[tool]
    found: dict[ColumnPlace, frozenset[str]] = {}
    for query in anatomy.queries[tool]:
        for table, column, value in assignments(query.tree) if query.kind == "do" else ():
            bound = Query(tool, "", "let", f"SELECT {value.sql(dialect='sqlite')}").names
            params = {param for name in bound for param in names.behind(name) if param in names.params}
            checked = frozenset(param for param in params if _worth_checking(anatomy, tool, param))
            if checked:
                found[ColumnPlace(table, column)] = checked
    return found


def _worth_checking(anatomy: Anatomy, tool: str, name: str) -> bool:
    param = anatomy.names[tool].params[name]
    return param.ref is None and (param.type not in _FREE_TYPES or param.format is not None)


def _guarded(anatomy: Anatomy, tool: str) -> frozenset[str]:
    """The parameters that some guard of the tool depends on, by value."""
    names = anatomy.names[tool]
    return frozenset(
        param
        for query in anatomy.queries[tool]
        if query.kind == "require"
        for name in query.names
        for param in names.behind(name)
        if param in names.params
    )
