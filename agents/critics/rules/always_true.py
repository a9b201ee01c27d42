"""A condition that nothing fails.

Stands for searches that find everything: `instr(name, :text) >= 0`, `count(*) >= 0`, `length(x) > -1`, whose
functions never answer less than zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.conditions import Comparison, comparison
from ...tester.trees import render
from ..reading.base import Context, again, finding

KIND = "always_true"
_COUNTING = (exp.StrPosition, exp.Length, exp.Count)
_COUNTING_NAMES = frozenset({"instr", "length", "abs", "json_array_length"})


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        for node in query.tree.find_all(exp.GTE, exp.GT, exp.LTE, exp.LT) if query.tree is not None else ():
            found = comparison(node)
            for each in (found, found.flipped()) if found is not None else ():
                if _never_fails(each):
                    message = f"{query.tool}: {render(node)} is true of everything."
                    yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _never_fails(found: Comparison) -> bool:
    counting = isinstance(found.left, _COUNTING) or (
        isinstance(found.left, exp.Func) and found.left.name.lower() in _COUNTING_NAMES
    )
    bound = render(found.right)
    return counting and ((found.operator == ">=" and bound == "0") or (found.operator == ">" and bound == "-1"))
