"""A new value for a row that is checked and then stored nowhere.

Stands for forgotten effects: `move_booking` takes the new start, asks whether the table is free then, and changes
nothing. Told from the name: the parameter is called like a column of the row that the tool is given, and no write of
the tool depends on it. So it is with a parameter that points at a row, where the tool creates a row that has a column
of that name pointing there. Left out are parameters that are there to be checked: others that point at rows, and those
that a guard compares with that very column (a code that must match).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ....environments.resolution import ResolvedTool
from ....environments.schema import Reference
from ...tester.anatomy import Anatomy
from ...tester.names import Names
from ...tester.trees import assignments, unwrapped
from ..reading.base import Context, again, finding

KIND = "parameter_not_stored"


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        if tool.kind != "write":
            continue
        written, bound = _in_writes(context.anatomy, name), _anywhere(context.anatomy, name)
        for param, given in tool.params.items():
            table = (_table_with if given.ref is None else _table_created)(context.anatomy, tool, param)
            if (
                table is not None
                and param in bound
                and param not in written
                and not _is_matched(context, name, param)
            ):
                message = f"{name} takes {param}, a column of {table}, and no write of it depends on that."
                yield finding(KIND, "major", f"tools.{name}.params.{param}", message, probe=again(KIND))


def _is_matched(context: Context, tool: str, param: str) -> bool:
    """Whether a guard says that the parameter is equal to a column, or a value read from one, of the same name."""
    names = context.anatomy.names[tool]
    for query in context.anatomy.queries[tool]:
        for node in query.tree.find_all(exp.EQ, exp.NullSafeEQ) if query.kind == "require" and query.tree else ():
            sides = {_named(side, names) for side in (node.this, node.expression)}
            if {f":{param}", param} <= sides:
                return True
    return False


def _named(side: exp.Expr, names: Names) -> str:
    """`:param` for a parameter, the column's name for a column or for what a step read from one."""
    plain = unwrapped(side)
    if isinstance(plain, exp.Placeholder):
        origin = names.origin(plain)
        return origin.name.lower() if isinstance(origin, exp.Column) else f":{plain.name}"
    return plain.name.lower() if isinstance(plain, exp.Column) else ""


def _table_with(anatomy: Anatomy, tool: ResolvedTool, param: str) -> str | None:
    """The table of a row that another parameter points at, and that has a column named like this one."""
    for name, other in tool.params.items():
        table = other.ref.split(".")[0] if other.ref is not None and name != param else None
        if table is not None and param in anatomy.tables[table].by_name:
            return table
    return None


def _table_created(anatomy: Anatomy, tool: ResolvedTool, param: str) -> str | None:
    """The table that the tool adds a row to, and whose column of the parameter's name points where it does."""
    created = {
        made.table
        for query in anatomy.queries[tool.name]
        if isinstance(query.tree, exp.Insert)
        for made in assignments(query.tree)
    }
    for table in sorted(created & set(anatomy.tables)):
        for reference in anatomy.tables[table].references:
            if reference.columns == (param,) and _leads_to(reference, tool.params[param].ref):
                return table
    return None


def _leads_to(reference: Reference, ref: str | None) -> bool:
    return ref is not None and ref.split(".") == [reference.table, *reference.to_columns]


def _in_writes(anatomy: Anatomy, tool: str) -> frozenset[str]:
    """Parameters that some write depends on, through look-ups too."""
    names = anatomy.names[tool]
    return frozenset(
        behind
        for query in anatomy.queries[tool]
        if query.kind == "do"
        for bound in query.names
        for behind in names.behind(bound.removeprefix("given_"))
    )


def _anywhere(anatomy: Anatomy, tool: str) -> frozenset[str]:
    return frozenset(bound for query in anatomy.queries[tool] for bound in query.names)
