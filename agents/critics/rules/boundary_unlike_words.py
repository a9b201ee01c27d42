"""A comparison whose strictness or direction is not what the words say.

Stands for off-by-one boundaries: "seats at least this many" with `seats > :min_seats`, "at most sixty days ahead"
with `<`. Words are those of the parameter's description, for filters, or of a guard's message, where it names the
number that the guard compares with. Filters come with a call at the boundary that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding, Probe, Require
from ...tester.conditions import (
    Comparison,
    Operator,
    comparison,
    condition_of,
    leaves,
    literal_text,
    looks_back,
    turned,
)
from ...tester.names import Names
from ...tester.queries import Query
from ...tester.trees import conjuncts, place_of
from ..reading.base import Context, again, finding, shown
from ..reading.boundary_calls import boundary_probe
from ..reading.wording import bound_in, numbers_in

KIND = "boundary_unlike_words"
_DEMANDS = r"must not|may not|cannot|give|needs?|only (?:what|those|if)"
_REFUSED = re.compile(rf"^(?!.*\b(?:{_DEMANDS})\b).*\b(?:more|less|fewer|longer) than \$?[\w-]+")
"""Messages that name the amount that is too much, or too little."""
_UNITS = (1, 60, 1440, 100, 24, 7)
"""What a number in words may be multiplied by in SQL: hours as minutes, days as minutes, dollars as cents, …"""


_TIME = re.compile(r"(\d\d:\d\d)(?::00)?$")
_TIMES = (
    (r"\b(?:by|until|up to|no later than)", "<=", ("<", ">", ">=")),
    (r"\b(?:from|no earlier than|not before)", ">=", (">", "<", "<=")),
)
"""Words before a time of day that take it in, and the comparisons that leave it out, or turn it round."""


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        names = context.anatomy.names[query.tool]
        if query.kind in ("many", "value"):
            yield from _filters(context, query, names)
        elif query.kind == "require" and isinstance(query.step, Require):
            yield from _message(query, query.step)
            yield from _times(query, query.step)


def _filters(context: Context, query: Query, names: Names) -> Iterator[Finding]:
    for found in _parameter_comparisons(query, names):
        assert isinstance(found.right, exp.Placeholder)
        param = names.params[found.right.name]
        said = bound_in(param.description)
        if said is None or said == found.operator:
            continue
        message = (
            f"{query.tool}: {found.right.name} is described as {param.description!r}, "
            f"but compared with {found.left.sql(dialect='sqlite')} {found.operator} :{found.right.name}."
        )
        place = place_of(found.left, context.anatomy.tables)
        probe: Probe | None = None
        if place is not None and query.kind == "many":
            probe = boundary_probe(context, query, found.right.name, place, said)
        evidence = {"calls": probe.model_dump(mode="json", exclude_none=True)} if probe is not None else {}
        yield finding(KIND, "major", query.where, message, probe=shown(context, KIND, probe), **evidence)


def _parameter_comparisons(query: Query, names: Names) -> Iterator[Comparison]:
    """Comparisons of a column with a parameter, the parameter on the right."""
    for node in query.tree.find_all(exp.LT, exp.LTE, exp.GT, exp.GTE) if query.tree is not None else ():
        found = comparison(node, isinstance(node.parent, exp.Not))
        for each in (found, found.flipped()) if found is not None else ():
            bound, value = each.right, each.left
            if isinstance(bound, exp.Placeholder) and bound.name in names.params and isinstance(value, exp.Column):
                yield each


def _message(query: Query, step: Require) -> Iterator[Finding]:
    """ "At most 30 days" is what passes, "more than 30 days ago" what is refused."""
    said = _passing(step.error.message)
    wanted = {number * unit for number in numbers_in(step.error.message) for unit in _UNITS}
    for each in _sides(condition_of(query.tree)) if said is not None else ():
        bounded = _holds_number(each.right, wanted) and not _holds_number(each.left, wanted)
        operator = turned(each.operator) if looks_back(each.right) else each.operator
        if bounded and operator not in ("=", "<>", said):
            message = f"{query.tool}: the guard says {step.error.message!r} and tests {each.operator}."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _passing(message: str) -> Operator | None:
    """The one comparison that may pass by a message; None if it does not say where the bound lies."""
    said, refused = bound_in(message), _REFUSED.search(message.lower())
    if refused is not None and said in (">", "<"):
        return "<=" if said == ">" else ">="
    return said if said in (">=", "<=") else None


def _sides(condition: exp.Expr | None) -> Iterator[Comparison]:
    """Each test of a guard, read from both sides; what rows that must not be there have in common is turned round."""
    for leaf in leaves(condition):
        absent = isinstance(leaf.node, exp.Exists) and leaf.negated and isinstance(leaf.node.this, exp.Select)
        inner = conjuncts(leaf.node.this.args.get("where")) if absent else iter((leaf.node,))
        for each in inner:
            found = comparison(each, leaf.negated)
            yield from (found, found.flipped()) if found is not None else ()


def _times(query: Query, step: Require) -> Iterator[Finding]:
    """ "…, from 08:00, and end by 22:00": both times are still fine."""
    said = step.error.message.lower()
    for leaf in leaves(condition_of(query.tree)):
        found = comparison(leaf.node, leaf.negated)
        for each in (found, found.flipped()) if found is not None else ():
            time = _TIME.match(literal_text(each.right) or "")
            for words, wanted, wrong in _TIMES if time is not None else ():
                if time is not None and each.operator in wrong and re.search(rf"{words} {time[1]}\b", said):
                    message = (
                        f"{query.tool}: the guard says {step.error.message!r}, {wanted}, and tests {each.operator}."
                    )
                    yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _holds_number(node: exp.Expr, wanted: set[int]) -> bool:
    literals = [node] if isinstance(node, exp.Literal) else node.find_all(exp.Literal)
    return any(set(numbers_in(str(literal.this))) & wanted for literal in literals)
