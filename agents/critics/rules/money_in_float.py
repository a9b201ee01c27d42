"""Money multiplied by a fraction and stored without rounding.

Stands for totals off by a cent, and for calls that fail because a STRICT integer column refuses 1050.5. Money columns
are told by their names. Rounding, casting and whole-number division are fine.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.columns import is_money
from ...tester.queries import Query
from ...tester.trees import Assignment, assignments
from ..reading.base import Context, again, finding

KIND = "money_in_float"
_WHOLE = (exp.Round, exp.Cast, exp.Floor, exp.Ceil)


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        names = context.anatomy.names[query.tool]
        for found in assignments(query.tree):
            if is_money(found.column) and _fractional(names.origin(found.value)):
                yield _finding(query, found)


def _fractional(value: exp.Expr) -> bool:
    """Whether a fraction reaches the value without being rounded on the way."""
    if isinstance(value, _WHOLE) or (isinstance(value, exp.Anonymous) and value.name.lower() in ("round", "trunc")):
        return False
    if isinstance(value, exp.Literal):
        return not value.is_string and "." in str(value.this)
    if isinstance(value, exp.Query | exp.Subquery):
        return False
    return any(_fractional(part) for part in value.iter_expressions())


def _finding(query: Query, found: Assignment) -> Finding:
    message = f"{query.tool} stores a fraction in {found.table}.{found.column}: {found.value.sql(dialect='sqlite')}."
    return finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
